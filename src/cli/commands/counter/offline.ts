/**
 * Work without the server: the typed answers as flags, with their time. `cs pending resume` and the next command of the counter send them
 * in order. Nothing is checked by known names: the server decides.
 */

import { titleOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { type CliError, type ExitCode, usage } from '../../errors/exit.ts';
import { reportOf, wrapFailure } from '../../errors/report.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { holdsSearch } from '../../input/matching.ts';
import { localTime, parseEventTime } from '../../input/when.ts';
import { labelled } from '../../output/labelled.ts';
import { askForm, type Question } from '../../prompts/form.ts';
import { askOption } from '../../prompts/prompts.ts';
import { handleCancel } from '../../prompts/run.ts';
import { idIn } from '../../resources/lookup.ts';
import { isNew } from '../../resources/record-form.ts';
import type { Candidate } from '../../state/names.ts';
import { beginWork, changeWork, isSameCar, openWork, type Work } from '../../state/work.ts';
import { joinList, nearest, sanitize } from '../../terminal/text.ts';
import { requirePhotos } from '../photos/checklist.ts';
import { readPhotos } from '../photos/read.ts';
import type { ActionFlags, ActionPlan, AnyAction } from './action.ts';
import { isNamed, knownGiven, onlyNamed } from './ask-known.ts';
import { facilityHere } from './facility.ts';
import { unfinished } from './journal.ts';
import { type CounterAnswers, offlineOption, plainAnswersOf, typedFlags } from './keep-answers.ts';
import { type KnownNames, knownNames } from './known-names.ts';
import { carBody } from './new-car.ts';

/** The error with the flag that queues the work. */
export function namesOfflineFlag({ settings, interactive }: Context, error: unknown): CliError {
  const { message, hint } = reportOf(error, { baseUrl: settings.connection().baseUrl.value });
  const flags = interactive ? 'give the car, the type and the place as flags and add' : 'add';
  const offline = `to go on without the server, ${flags} --offline`;
  return wrapFailure(error, { message, hint: [hint, offline].filter(Boolean).join('; ') });
}

/** Whether the person goes on without the server. False where no names are known to choose from. */
export async function offerOffline(context: Context): Promise<boolean> {
  const known = await knownNames(context);
  if (!known) return false;
  context.warn(`The server can't be reached. Cars and places are known from ${known.source}.`);
  return askOption(context, {
    label: 'What now?',
    options: [
      { name: offlineOption, value: true },
      { name: 'Stop', value: false },
    ],
  });
}

interface Queued {
  readonly flags: ActionFlags;
  /** Given while the server was there. */
  readonly answers?: CounterAnswers;
  readonly line: string;
  /** Work of the same line, which a person leaves unfinished to start another. */
  readonly replaced?: Work | undefined;
}

export async function queueWork(
  context: Context,
  action: AnyAction,
  { flags, answers, line, replaced }: Queued,
): Promise<ExitCode | undefined> {
  const { io } = context;
  const here = await facilityHere(context);
  const names = await knownNames(context);
  const open = openWork(io, here.id);
  const earlier = replaced ?? open.find((work) => work.line === line);
  if (earlier && !replaced) {
    const later = open.some(
      (work) => isSameCar(work.car, earlier.car) && work.happenedAt > earlier.happenedAt,
    );
    if (!earlier.flags || !later) return alreadyQueued(context, earlier);
  }
  const photos = flags.photo && (await readPhotos(context, flags.photo, flags));
  // What is said of now means another moment once it is sent.
  const at = flags.at === undefined ? undefined : parseEventTime(flags.at, io.now(), '--at');
  const given = { ...plainAnswersOf(flags), photos, at };
  const planned = await handleCancel(context, () =>
    ask(context, action, { flags, given, answers, names }),
  );
  if (typeof planned === 'number') return planned;
  if (flags.requirePhotos)
    requirePhotos(context, {
      eventType: flags.type === undefined ? undefined : { value: flags.type },
      ...planned,
    });
  const { dryRun: _, offline: __, phone: ___, ...typed } = typedFlags(planned, flags);
  warnOfUnknownNames(context, typed, names);
  const known = typed.car === undefined ? undefined : onlyNamed(names?.cars ?? [], typed.car);
  const { car } = planned;
  const name = car ? titleOf(isNew(car) ? carBody(planned) : car) : (known?.value ?? typed.car);
  const happenedAt = at ?? io.now().toISOString();
  // It happened again since, or the person starts another.
  if (earlier) changeWork(io, earlier.id, { line: null });
  const begun = beginWork(io, {
    command: action.command,
    what: `${action.what} of ${name}`,
    facility: here.id,
    server: here.server,
    key: here.key,
    line: flags.car === undefined ? null : line,
    happenedAt,
    car: known?.id ?? typed.car ?? typed.newCar?.licensePlate ?? null,
    flags: { ...typed, words: wordsOf(planned, names), at: happenedAt },
    requests: null,
    shown: null,
  });
  if ('open' in begun) return alreadyQueued(context, begun.open);
  await printQueued(context, begun.work);
  return undefined;
}

/** The id stays where another record is called the same. */
function wordsOf(
  { car, place }: CounterAnswers,
  names: KnownNames | undefined,
): ActionFlags['words'] {
  const word = (id: string, name: string | null, known: readonly Candidate[] = []) =>
    name && known.every((one) => one.id === id || !isNamed(one, name)) ? name : id;
  const [spots, zones] = [names?.parkingSpots, names?.parkingZones];
  return {
    ...(car && !isNew(car) && { car: word(car.id, titleOf(car), names?.cars) }),
    ...(place && {
      [place.kind]: word(place.record.id, place.record.name, place.kind === 'spot' ? spots : zones),
    }),
  };
}

async function alreadyQueued(context: Context, work: Work): Promise<undefined> {
  const began = localTime(new Date(work.startedAt).toISOString());
  if (!work.flags)
    throw unfinished(context, work, `The ${work.what} was begun ${began} and isn't finished.`);
  context.warn(`Queued already ${began}. To queue it again, give its time with --at.`);
  await printQueued(context, work);
}

async function printQueued(
  context: Context,
  { id, command, what, startedAt, happenedAt: at }: Work,
): Promise<void> {
  const { output, styles } = context;
  const facts = labelled(context, [
    ['Time', localTime(at)],
    ['Next', nextCommand(['pending', 'resume'], connectionFlags(context))],
    ['', 'The next drop-off, pick-up or move sends it too, once the server is back.'],
  ]);
  const title = `${styles.success('✓')} ${styles.title(sanitize(`${what}: queued, not sent`))}`;
  const queued = { id, command, what, startedAt: new Date(startedAt).toISOString(), at };
  await output.styled({ queued }, `\n${title}\n\n${facts}`);
}

/** The server would refuse them later. */
function warnOfUnknownNames(
  context: Context,
  { car, spot, zone, type }: ActionFlags,
  names: KnownNames | undefined,
): void {
  const checked = [
    ['car', car, names?.cars],
    ['spot', spot, names?.parkingSpots],
    ['zone', zone, names?.parkingZones],
    ['event type', type, names?.eventTypes],
  ] as const;
  for (const [what, text, known = []] of checked) {
    if (text === undefined || idIn(text) !== undefined || known.length === 0) continue;
    if (known.some((candidate) => isNamed(candidate, text))) continue;
    const parts = known.filter(({ value, also = [] }) => holdsSearch([value, ...also], text));
    const near = nearest(
      text,
      known.map(({ value }) => value),
    );
    const close = [...new Set([...parts.map(({ value }) => value), ...near])].slice(0, 3);
    const hint = close.length > 0 ? ` Did you mean ${joinList(close, 'or')}?` : '';
    context.warn(
      `No ${what} "${text}" is known from ${names?.source}. It is checked when it is sent.${hint}`,
    );
  }
}

interface Asking {
  readonly flags: ActionFlags;
  readonly given: CounterAnswers;
  readonly answers: CounterAnswers | undefined;
  readonly names: KnownNames | undefined;
}

/** The questions of the command for what the flags leave open, without those that need the server. */
async function ask(
  context: Context,
  action: AnyAction,
  { flags, given, answers, names }: Asking,
): Promise<CounterAnswers> {
  if (!context.interactive) return given;
  if (!names) {
    const { car, spot, zone } = flags;
    if (car !== undefined && (action.command === 'pickup' || (spot ?? zone) !== undefined))
      return given;
    throw usage(
      'No names of cars and places are known on this machine.',
      'give the car, the type and the place as flags, or name a mirror of `cs sync` with `cs config set mirror FILE`',
    );
  }
  const known: Partial<ActionPlan> = { ...given, ...knownGiven(names, flags) };
  const from = `${names.source}; checked when it is sent`;
  return askForm(context, {
    questions: (await action.questions(context, flags, known, names)) as Question<ActionPlan>[],
    given: known,
    correcting: answers && { answers, wrong: [] },
    review: context.settings.yes
      ? undefined
      : {
          summary: (plan: ActionPlan) =>
            `\n${labelled(context, [...action.summary(context, plan), ['Known from', from]])}\n`,
          question: `Queue this ${action.what}?`,
        },
  });
}
