/** The page on the phone: takes or chooses photos and sends each to the counter, one at a time, again after a break. */
import { fileFor, missingPhotos } from '../facility/photo-checklist.ts';
import { deviceName } from './device.ts';
import {
  type Hello,
  type PhotoFacts,
  photoHeader,
  photoLimits,
  purposes,
  type Question,
  type Said,
  type Settled,
  sizeText,
  tooLarge,
  type Welcome,
} from './protocol.ts';
import { sealWith, toBase64Url } from './seal.ts';

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const status = element('status');
const lost = element('lost');
const agent = navigator.userAgent;
const seal = sealWith(location.hash.slice(1));

/** Refused for good: the text is for the person. */
class CodeRefused extends Error {}

const reasons: Readonly<Record<number, string>> = {
  403: 'This code is no longer valid. Scan the code at the counter.',
  409: 'Another phone uses this code. Start again at the counter for a code of your own.',
};

const randomId = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(16)));

/** Kept in the browser, so that a code that is scanned again finds its phone. */
function phoneId(): string {
  const name = 'car-storage phone';
  try {
    const id = localStorage.getItem(name) ?? randomId();
    localStorage.setItem(name, id);
    return id;
  } catch {
    // A browser without storage for this page.
    return randomId();
  }
}
const phone = phoneId();

interface Message {
  readonly method: string;
  readonly path: string;
  readonly purpose: string;
  readonly content: Hello | PhotoFacts | Said;
  readonly bytes?: Uint8Array;
  readonly onProgress?: (share: number) => void;
}

/** Rejects with a CodeRefused, or where there is no answer. */
function ask<T>({ method, path, purpose, content, bytes, onProgress }: Message): Promise<T> {
  if (!seal) throw new CodeRefused();
  const text = JSON.stringify(content);
  const sealed = seal.seal(new TextEncoder().encode(text), purpose);
  return new Promise((resolve, reject) => {
    // fetch tells no progress of what it sends.
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.responseType = 'arraybuffer';
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const reason = reasons[request.status];
      if (reason) return reject(new CodeRefused(reason));
      try {
        const answer = seal.open(new Uint8Array(request.response), purposes.answer(text));
        resolve(JSON.parse(new TextDecoder().decode(answer)));
      } catch (error) {
        reject(error);
      }
    };
    request.timeout = 120_000;
    request.onerror = request.ontimeout = () => reject(new Error('no answer'));
    if (bytes) request.setRequestHeader(photoHeader, toBase64Url(sealed));
    request.send(bytes ? seal.seal(bytes, text) : sealed);
  });
}

interface QueuedPhoto {
  id: string;
  readonly name: string;
  readonly file: File;
  readonly row: HTMLElement;
  settled?: Settled | undefined;
}

const photos: QueuedPhoto[] = [];
let welcome: Welcome | undefined;
let isBroken = false;
let isOver = false;
let isPreparing = false;
let wake = () => {};

/** The waits after a break, in seconds. The last one repeats. */
const waits = [1, 2, 4, 8, 15];

/** Tries again until there is an answer. Undefined once the code is refused. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T | undefined> {
  for (let breaks = 0; ; breaks += 1) {
    try {
      const answer = await work();
      isBroken = false;
      return answer;
    } catch (error) {
      if (error instanceof CodeRefused) return end(error.message);
      isBroken = true;
      show();
      const seconds = waits[Math.min(breaks, waits.length - 1)] as number;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, seconds * 1000);
      });
    }
  }
}

let isSending = false;
async function send(): Promise<void> {
  if (isSending) return;
  isSending = true;
  for (let photo = next(); photo && !isOver; photo = next()) {
    const { id, name, file, row } = photo;
    const bar = row.querySelector('progress') as HTMLProgressElement;
    photo.settled = await put(file, { id, name }, (share) => {
      bar.value = share;
    });
    show();
  }
  isSending = false;
}

async function put(
  file: File,
  { id, name }: Pick<PhotoFacts, 'id' | 'name'>,
  onProgress?: Message['onProgress'],
): Promise<Settled | undefined> {
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer)
    return { status: 'refused', message: "The phone can't read it any more. Choose it again." };
  const message = { method: 'PUT', path: '/photo', purpose: purposes.photo };
  const content = { phone, id, name, size: file.size };
  const bytes = new Uint8Array(buffer);
  return untilAnswered(() =>
    ask<Settled>({ ...message, content, bytes, ...(onProgress && { onProgress }) }),
  );
}
const next = () => photos.find(({ settled }) => settled === undefined);

/** `wanted`: what the photo shows, of the list. */
function add(files: readonly File[], wanted?: string): void {
  for (const file of files) {
    const name = wanted === undefined ? file.name || 'photo' : fileFor(wanted, file.name);
    const row = newRow(file, name, () => retry(photo));
    const photo: QueuedPhoto = { id: randomId(), name, file, row };
    if (file.size > photoLimits.bytes) photo.settled = { status: 'refused', message: tooLarge };
    photos.push(photo);
    element('photos').prepend(photo.row);
  }
  show();
  void send();
}

function retry(photo: QueuedPhoto): void {
  photo.settled = undefined;
  show();
  void send();
}

const signs = { received: '✓', copy: '=', refused: '✗', waiting: '·' } as const;

function newRow(file: File, name: string, onRetry: () => void): HTMLElement {
  const row = (element('row') as HTMLTemplateElement).content.firstElementChild?.cloneNode(
    true,
  ) as HTMLElement;
  const part = <T extends HTMLElement>(name: string) => row.querySelector(name) as T;
  const picture = part<HTMLImageElement>('img');
  picture.src = URL.createObjectURL(file);
  picture.onload = () => URL.revokeObjectURL(picture.src);
  picture.onerror = () => {
    URL.revokeObjectURL(picture.src);
    picture.style.visibility = 'hidden';
  };
  part('.name').textContent = name;
  part('.size').textContent = sizeText(file.size);
  part('progress').setAttribute('aria-label', `${name} sent`);
  part('button').addEventListener('click', onRetry);
  return row;
}

function showPhoto({ row, settled }: QueuedPhoto): void {
  const part = <T extends HTMLElement>(name: string) => row.querySelector(name) as T;
  const state = settled?.status ?? 'waiting';
  row.className = state;
  part('.sign').textContent = signs[state];
  part('progress').hidden = settled !== undefined;
  const message = part('.message');
  message.textContent =
    settled?.status === 'refused'
      ? settled.message
      : settled?.status === 'copy'
        ? 'The same photo is at the counter already'
        : '';
  message.hidden = message.textContent === '';
  part('button').hidden = !(settled?.status === 'refused' && settled.again) || isOver;
}

/** A button for each photo of the list that is neither there nor on its way. */
function showWanted({ checklist, received }: Welcome): void {
  const coming = photos.flatMap(({ name, settled }) => (settled?.status === 'refused' ? [] : name));
  const missing = missingPhotos(checklist, [...received, ...coming]);
  element('wanted').hidden = missing.length === 0;
  for (const name of checklist) {
    const button = document.getElementById(`wanted ${name}`) ?? newWanted(name);
    button.hidden = !missing.includes(name);
  }
}

function newWanted(name: string): HTMLElement {
  const button = element('camera').parentElement?.cloneNode(true) as HTMLElement;
  button.id = `wanted ${name}`;
  const [text, input] = [button.firstElementChild, button.lastElementChild];
  if (text) text.textContent = name;
  input?.removeAttribute('id');
  prepareInput(input as HTMLInputElement, name);
  element('wanted').append(button);
  return button;
}

/** The button or text of an answer, sent until the counter has it; then the next question. */
async function answer(number: number, text: string): Promise<void> {
  const content: Said = { phone, number, text };
  await busy('…', async () => {
    const question = await untilAnswered(() =>
      ask<Question>({ method: 'POST', path: '/said', purpose: purposes.said, content }),
    );
    if (welcome && question) welcome = { ...welcome, question };
    return question?.note;
  });
}

async function scan(number: number, file: File): Promise<void> {
  let text: string | undefined;
  await busy('Reading the code …', async () => {
    const settled = await put(file, { id: randomId(), name: 'code' });
    if (settled?.status === 'refused') return settled.message;
    text = settled?.text;
    return undefined;
  });
  if (text !== undefined) await answer(number, text);
}

/** Without answers until `work` is done, which returns what to say then. */
async function busy(text: string, work: () => Promise<string | undefined>): Promise<void> {
  const question = element<HTMLFieldSetElement>('question');
  question.disabled = true;
  status.textContent = text;
  const note = await work();
  question.disabled = false;
  if (isOver) return;
  status.textContent = note ?? '';
  show();
}

let shown: Question | undefined;
function showQuestion(question: Question): void {
  if (question === shown) return;
  shown = question;
  const { number, label, hint = '', choices, takesText = false } = question;
  const buttons = Object.entries(choices).map(([text, name]) => {
    const button = document.createElement('button');
    button.className = 'button';
    button.textContent = name;
    button.onclick = () => void answer(number, text);
    return button;
  });
  if (buttons.length === 0) {
    end(label, 'good');
    return;
  }
  element('question').hidden = false;
  element('label').textContent = label;
  element('hint').textContent = hint;
  element('choices').replaceChildren(...buttons);
  element('other').hidden = !takesText;
  const plate = element<HTMLInputElement>('plate');
  plate.value = '';
  element('typed').onsubmit = (event) => {
    event.preventDefault();
    if (plate.value.trim() !== '') void answer(number, plate.value);
  };
  const input = element<HTMLInputElement>('scan');
  input.onchange = () => {
    const [file] = input.files ?? [];
    if (file) void scan(number, file);
    input.value = '';
  };
}

function show(): void {
  photos.forEach(showPhoto);
  if (isOver) return;
  const question = welcome?.question;
  element('actions').hidden = welcome === undefined || question !== undefined;
  element('title').hidden = !welcome;
  element('title').textContent = welcome?.title ?? '';
  lost.hidden = !isBroken;
  lost.textContent = welcome
    ? `No connection to the counter. If it has gone on, close this page; if not, keep it open: the ${question ? 'answer is' : 'photos are'} sent when it is back.`
    : 'No connection to the counter. Is the phone in the same Wi-Fi?';
  if (question) {
    document.title = element('heading').textContent = 'Stock-taking';
    showQuestion(question);
    return;
  }
  if (!welcome) return;
  const count = (state: string) => photos.filter(({ settled }) => settled?.status === state).length;
  showWanted(welcome);
  const received = welcome.received.length + count('received');
  const all = received + photos.filter(({ settled }) => settled === undefined).length;
  const refused = count('refused');
  const parts = [
    all > 0 && `${received} of ${all} ${all === 1 ? 'is' : 'are'} at the counter.`,
    refused > 0 && `${refused} ${refused === 1 ? 'was' : 'were'} refused: see below.`,
    all > 0 && all === received && refused === 0 && 'You can close this page.',
    all + refused === 0 && 'The photos go straight to the counter.',
  ];
  status.textContent = isPreparing
    ? 'Preparing … the phone may take a moment.'
    : parts.filter(Boolean).join(' ');
  status.className = all > 0 && all === received && refused === 0 && !isPreparing ? 'good' : '';
}

function end(text: string, kind: 'good' | 'bad' = 'bad'): undefined {
  isOver = true;
  show();
  for (const id of ['actions', 'wanted', 'question', 'lost']) element(id).hidden = true;
  status.textContent = text;
  status.className = kind;
}

function prepareInputs(): void {
  const library = element<HTMLInputElement>('library');
  // Only WebKit makes a JPEG of a photo whose type isn't listed.
  library.accept = [
    'image/jpeg',
    'image/png',
    'image/webp',
    ...(/Android/.test(agent) ? ['image/heic', 'image/heif'] : []),
  ].join();
  for (const input of [element<HTMLInputElement>('camera'), library]) prepareInput(input);
}

function prepareInput(input: HTMLInputElement, wanted?: string): void {
  const prepare = (is: boolean) => {
    isPreparing = is;
    show();
  };
  // The phone may prepare the photos for a while before it names them.
  input.addEventListener('click', () => prepare(true));
  input.addEventListener('cancel', () => prepare(false));
  input.addEventListener('change', () => {
    prepare(false);
    add([...(input.files ?? [])], wanted);
    // The same photo can be chosen again.
    input.value = '';
  });
}

async function start(): Promise<void> {
  prepareInputs();
  if (!seal) return end("Scan the code at the counter with this phone's camera.");
  const content = { phone, device: deviceName(agent, navigator.maxTouchPoints) };
  welcome = await untilAnswered(() =>
    ask<Welcome>({ method: 'POST', path: '/hello', purpose: purposes.hello, content }),
  );
  if (welcome?.question) status.textContent = welcome.question.note ?? '';
  show();
}

addEventListener('online', () => wake());
document.addEventListener('visibilitychange', () => wake());
// A code that is scanned again in the same tab changes only the fragment.
addEventListener('hashchange', () => location.reload());
void start();
