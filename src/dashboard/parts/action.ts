/** A write that a button starts: once at a time, with its failure beside the button. */
import { useRef, useState } from 'preact/hooks';

export interface Action {
  readonly isRunning: boolean;
  readonly error: Error | undefined;
  /** Ignored while it runs, so that a double click is one. */
  run(): Promise<void>;
  clear(): void;
}

export function useAction(perform: () => Promise<unknown>): Action {
  const [state, setState] = useState<{ isRunning: boolean; error?: Error }>({ isRunning: false });
  const isRunning = useRef(false);
  return {
    isRunning: state.isRunning,
    error: state.error,
    async run() {
      if (isRunning.current) return;
      isRunning.current = true;
      setState({ isRunning: true });
      try {
        await perform();
        setState({ isRunning: false });
      } catch (error) {
        setState({ isRunning: false, error: error as Error });
      } finally {
        isRunning.current = false;
      }
    },
    clear: () => setState({ isRunning: false }),
  };
}
