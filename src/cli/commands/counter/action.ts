/** What a command of the counter does, as data: the engine asks, sends, keeps and prints it. */
import type { ResourceName } from '../../../contract/contract.ts';
import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { isMissing } from '../../errors/missing-path.ts';
import { isRefused } from '../../errors/refusal.ts';
import { sentence } from '../../errors/report.ts';
import type { Row } from '../../output/view.ts';
import type { Question } from '../../prompts/form.ts';
import type { NewRecord } from '../../resources/record-form.ts';
import type { Step } from '../../state/work.ts';
import type { PhoneFlags } from '../photos/flags.ts';
import type { PhotoFacts, PhotoOptions } from '../photos/photo-file.ts';
import type { SentContent } from '../photos/verify.ts';
import type { KnownNames } from './known-names.ts';
import type { NewCarAnswers } from './new-car.ts';
import type { PlaceFlags } from './place.ts';

/** As they were typed. */
export interface ActionFlags
  extends PlaceFlags,
    PhoneFlags,
    Pick<PhotoOptions, 'keepLocation' | 'resize'> {
  readonly car?: string | undefined;
  readonly type?: string | undefined;
  readonly notes?: string | undefined;
  readonly at?: string | undefined;
  readonly appointment?: string | false | undefined;
  readonly mileage?: number | undefined;
  readonly photo?: readonly string[] | undefined;
  readonly requirePhotos?: boolean | undefined;
  readonly offline?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Answers about a car that isn't stored yet, of queued work. */
  readonly newCar?: NewCarAnswers | undefined;
  /** What people call the records of queued work that flags name by id, for the line that corrects it. */
  readonly words?: Pick<ActionFlags, 'car' | 'spot' | 'zone'> | undefined;
}

/** Everything looked up, checked and answered. */
export interface ActionPlan extends Pick<PhotoOptions, 'keepLocation' | 'resize'> {
  readonly car: Car | NewRecord;
  readonly notes?: string | undefined;
  /** ISO 8601 (default: the server dates it). */
  readonly at?: string | undefined;
  readonly photos?: readonly PhotoFacts[] | undefined;
  /** The person's own. */
  readonly idempotencyKey?: string | undefined;
  /** It was queued without the server: nobody sees what is looked up. */
  readonly isQueued?: boolean | undefined;
}

/** A file as it was when the work began. */
export interface FileFacts {
  /** Absolute. */
  readonly path: string;
  /** Undefined where it isn't read yet, or can't be: reported when it is sent. */
  readonly sha256?: string | undefined;
}

/** A request before it is sent. `{car.id}` in an id stands for a field of an earlier step's answer. */
export interface ActionRequest {
  /** Of the step: `owner`, `car`, `event`, `assignment`, `mileage`, `photo-1`, `record`. */
  readonly name: string;
  readonly resource: ResourceName;
  readonly verb: 'create' | 'update';
  readonly ids: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
  /** Where the screen showed the car, on a server that checks it. */
  readonly ifParkedIn?: string | undefined;
  /** The person's own. */
  readonly idempotencyKey?: string | undefined;
  /** The photo that it sends. */
  readonly file?: (FileFacts & Pick<PhotoOptions, 'keepLocation' | 'resize'>) | undefined;
}

/** How far each step of a work came, by its name. */
export interface Journal {
  step(name: string): Pick<Step, 'state' | 'sentAt' | 'content' | 'answer'> | undefined;
  /** Before it is sent. */
  begin(name: string, content?: SentContent): void;
  /** Certainly not stored. */
  refused(name: string): void;
  done(name: string, answer: Row, content?: SentContent): void;
  /** Its Idempotency-Key. */
  key(name: string): string;
  /** Whether the server recognises what is sent again, or a person decided to send it. */
  mayRepeat(): Promise<boolean>;
  /** For a step that has no answer, and isn't sent again. */
  undecided(name: string): CliError;
}

export type Facts = readonly (readonly [
  label: string,
  value: string | readonly string[] | null | undefined,
])[];

/** What is printed once it is stored. Plain JSON: it is kept with the requests. */
export interface Shown {
  /** `drop-off` */
  readonly what: string;
  /** `{car}` stands for what people call the car. */
  readonly headline: string;
  readonly facts: Facts;
  /** Command lines. */
  readonly next: readonly string[];
  /** What to type for the car in another one (default: its id). */
  readonly ref?: string | undefined;
  /** Of the result, beside the car, the answer and the photos. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The step whose answer is the result's: its name is the field. */
  readonly answer: 'event' | 'assignment' | 'record';
  /** The photos that the event should have. */
  readonly checklist?: readonly string[];
  /** What people call the car, for lists. */
  readonly name: string;
  /** The known car; undefined for one that is stored with it. */
  readonly car?: Car | undefined;
  /** Where it parks the car. */
  readonly place?: { readonly kind: 'spot' | 'zone'; readonly name: string | null };
  /** The appointment that it should fulfil. */
  readonly appointmentId?: string | undefined;
}

export interface Action<F extends ActionFlags = ActionFlags, P extends ActionPlan = ActionPlan> {
  readonly command: 'dropoff' | 'pickup' | 'move' | 'undo';
  /** In a sentence: `drop-off`. */
  readonly what: string;
  /** Asked below the summary (default: it is stored at once). */
  readonly approval?: string;
  /** What a script must give and doesn't. */
  missing(flags: F, yes: boolean): (string | false)[];
  /** The flags looked up and checked. `find` decides what a refusal of one means. */
  read(context: Context, flags: F, find: Find): Promise<Partial<P>>;
  /** Completes what the flags gave without asking. */
  complete(context: Context, given: Partial<P>, flags: F): Promise<P>;
  /** For a terminal. Fails before the first one where a scope is missing. `names`: without the server. */
  questions(
    context: Context,
    flags: F,
    given: Partial<P>,
    names?: KnownNames,
  ): Promise<Question<P>[]>;
  summary(context: Context, plan: P): Facts;
  requests(plan: P): ActionRequest[];
  shown(context: Context, plan: P): Promise<Shown>;
  /** The answer that a refused field or step is about. */
  about?(plan: P, error: unknown, done: ReadonlySet<string>): keyof P | undefined;
  /** Another counter changed the parking of the car: the answers that stay, and those to ask for again (default: no answer can be corrected). */
  again?(given: Partial<P>, car: Car): { given: Partial<P>; wrong: (keyof P & string)[] };
  /** Prints a warning for a script. */
  warnings?(context: Context, plan: P): string[];
  /** Whether it can be queued without the server. */
  readonly queues: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: an action knows its own flags and plan
export type AnyAction = Action<any, any>;
export type Answers = ReadonlyMap<string, Row>;

/** The person wants another command for the car. */
export class RunInstead extends Error {
  readonly command: Action['command'];
  readonly flags: ActionFlags;

  constructor(command: Action['command'], flags: ActionFlags) {
    super(`cs ${command}`);
    this.command = command;
    this.flags = flags;
  }
}

type What = 'car' | 'place' | 'appointment';

/** Looks up what a flag names. */
export type Find = <T>(what: What, find: () => Promise<T>) => Promise<T | undefined>;

/** What is refused ends the command. */
export const orFail: Find = (_what, find) => find();

/** On a terminal undefined after a warning where it is refused: the question for `what` follows. */
export const orAskInstead =
  (context: Context, onRefused: (what: What) => void = () => {}): Find =>
  async (what, find) => {
    try {
      return await find();
    } catch (error) {
      const isUnknown = error instanceof CliError && error.code === 'not_found';
      // The question for the car searches for the text, and offers to add it.
      if (context.interactive && what === 'car' && isUnknown) return undefined;
      const isWrong = isRefused(error) || isMissing(error) || isUnknown;
      if (!context.interactive || context.settings.yes || !isWrong) throw error;
      context.warn(`${sentence(error.message)} Choose another ${what}.`);
      onRefused(what);
      return undefined;
    }
  };
