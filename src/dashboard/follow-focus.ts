/** An action removes the button that had the focus. What comes in its place gets the focus, unless somebody went on meanwhile. */

/** A tile may be drawn twice: when its panel closes, and when the move is read. */
const waitMs = 10_000;

/** The first selector that finds something, whenever the focus is lost. */
export function followFocus(...selectors: readonly string[]): void {
  const over = new AbortController();
  const look = () => {
    if (document.activeElement !== document.body) return;
    selectors
      .map((one) => document.querySelector<HTMLElement>(one))
      .find(Boolean)
      ?.focus();
  };
  const changes = new MutationObserver(look);
  changes.observe(document.body, { childList: true, subtree: true });
  for (const name of ['pointerdown', 'keydown'])
    addEventListener(name, () => over.abort(), { signal: over.signal });
  over.signal.addEventListener('abort', () => changes.disconnect());
  setTimeout(() => over.abort(), waitMs);
}
