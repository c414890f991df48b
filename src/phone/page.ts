/** The page on the phone: takes or chooses photos and sends each to the counter. */
import { CodeRefused, type Counter, connectTo } from './counter.ts';
import { deferred } from './deferred.ts';
import { type CounterState, type End, photoLimits, sizeText } from './protocol.ts';
import { createQueue, type QueuedPhoto } from './queue.ts';
import { sealWith } from './seal.ts';

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [status, actions, lost, list] = ['status', 'actions', 'lost', 'photos'].map((id) =>
  element(id),
) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
const agent = navigator.userAgent;

const ends: Readonly<Record<End, string>> = {
  taken: 'The counter has the photos and goes on. You can close this page.',
  left: 'The counter went on without photos. You can close this page.',
  stopped: 'The counter has stopped. You can close this page.',
  expired: 'The code is over. Ask for a new one at the counter.',
};

/** Kept in the browser, so that a code that is scanned again finds its phone. */
function phoneId(): string {
  const name = 'car-storage phone';
  const random = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('');
  try {
    const id = localStorage.getItem(name) ?? random();
    localStorage.setItem(name, id);
    return id;
  } catch {
    // A browser without storage for this page.
    return random();
  }
}

function deviceName(): string {
  if (/iPhone|iPod/.test(agent)) return 'iPhone';
  if (/iPad/.test(agent) || (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1))
    return 'iPad';
  const model = /Android [^;)]*; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/.exec(agent)?.[1];
  if (/Android/.test(agent)) return model && model !== 'K' ? model : 'Android phone';
  return 'Browser';
}

const pause = (ms: number, wake: Promise<void>) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The first waits after a break, in milliseconds. The last one repeats. */
const waits = [1_000, 2_000, 4_000, 8_000, 15_000];

async function start(): Promise<void> {
  const seal = sealWith(location.hash.slice(1));
  if (!seal) return finish("Scan the code at the counter with this phone's camera.");
  await new Session(connectTo(seal)).run();
}

function finish(text: string, how: 'good' | 'bad' | '' = ''): void {
  actions.hidden = true;
  lost.hidden = true;
  status.textContent = text;
  status.className = how;
}

class Session {
  private readonly counter: Counter;
  private readonly phone = phoneId();
  private state: CounterState | undefined;
  private isOver = false;
  private isConnected = false;
  private waking = deferred();
  private readonly rows = new Map<QueuedPhoto<File>, HTMLElement>();
  private readonly queue = createQueue<File>({
    send: (photo, onProgress) => this.send(photo, onProgress),
    wait: pause,
    onChange: () => this.show(),
  });

  constructor(counter: Counter) {
    this.counter = counter;
  }

  async run(): Promise<void> {
    const wake = () => {
      if (document.visibilityState === 'hidden') return;
      this.queue.wake();
      this.waking.resolve();
    };
    addEventListener('online', wake);
    document.addEventListener('visibilitychange', wake);
    this.prepareInputs();
    let breaks = 0;
    while (!this.isOver) {
      try {
        const { phone } = this;
        const state = this.state
          ? await this.counter.state({ phone, version: this.state.version })
          : await this.counter.hello({ phone, device: deviceName() });
        if (breaks > 0) this.queue.wake();
        breaks = 0;
        this.isConnected = true;
        this.take(state);
      } catch (error) {
        if (error instanceof CodeRefused) return this.end(error.message, 'bad');
        this.isConnected = false;
        this.show();
        this.waking = deferred();
        await pause(waits[Math.min(breaks, waits.length - 1)] as number, this.waking.promise);
        breaks += 1;
      }
    }
  }

  private take(state: CounterState): void {
    this.state = state;
    this.queue.take(state);
    if (state.end !== null) this.end(ends[state.end], state.end === 'taken' ? 'good' : '');
    else this.show();
  }

  private end(text: string, how: 'good' | 'bad' | ''): void {
    this.isOver = true;
    this.queue.stop();
    this.show();
    finish(text, how);
  }

  private prepareInputs(): void {
    const library = element<HTMLInputElement>('library');
    // Only WebKit makes a JPEG of a photo whose type isn't listed.
    library.accept = [
      'image/jpeg',
      'image/png',
      'image/webp',
      ...(/Android/.test(agent) ? ['image/heic', 'image/heif'] : []),
    ].join();
    for (const input of [element<HTMLInputElement>('camera'), library]) {
      // The phone may prepare the photos for a while before it names them.
      input.addEventListener('click', () =>
        this.announce('Preparing … the phone may take a moment.'),
      );
      input.addEventListener('cancel', () => this.announce(''));
      input.addEventListener('change', () => {
        this.announce('');
        this.add([...(input.files ?? [])]);
        // The same photo can be chosen again.
        input.value = '';
      });
    }
  }

  private announcement = '';
  private announce(text: string): void {
    this.announcement = text;
    this.show();
  }

  private add(files: readonly File[]): void {
    const given = (file: File) => ({ name: file.name || 'photo', size: file.size, file });
    const isTooLarge = ({ size }: File) => size > photoLimits.bytes;
    for (const file of files.filter(isTooLarge))
      this.queue.refuse(given(file), `Larger than ${photoLimits.bytes / 1e6} MB`);
    this.queue.add(files.filter((file) => !isTooLarge(file)).map(given));
  }

  private async send(
    { n, name, size, file }: QueuedPhoto<File>,
    onProgress: (share: number) => void,
  ) {
    if (this.isOver) return 'end';
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return {
        status: 'refused',
        message: "The phone can't read it any more. Choose it again.",
      } as const;
    }
    try {
      return await this.counter.photo(
        { phone: this.phone, n, name, type: file.type, size },
        bytes,
        onProgress,
      );
    } catch (error) {
      if (!(error instanceof CodeRefused)) throw error;
      this.end(error.message, 'bad');
      return 'end';
    }
  }

  private show(): void {
    const { photos } = this.queue;
    const title = element('title');
    title.textContent = this.state?.title ?? '';
    title.hidden = title.textContent === '';
    for (const photo of photos) this.showPhoto(photo);
    for (const [photo, row] of this.rows) {
      if (photos.includes(photo)) continue;
      row.remove();
      this.rows.delete(photo);
    }
    if (this.isOver) return;
    actions.hidden = this.state === undefined;
    lost.hidden = this.isConnected || this.state === undefined;
    lost.textContent =
      'No connection to the counter. If it has gone on, close this page; if not, keep it open: the photos are sent when it is back.';
    status.className = '';
    status.textContent = this.announcement || this.summary();
    const isDone =
      this.state !== undefined &&
      photos.every((photo) => !isOpen(photo) && !isRefused(photo)) &&
      this.announcement === '';
    if (
      isDone &&
      this.isConnected &&
      photos.some(({ status }) => status === 'there' || status === 'copy')
    )
      status.className = 'good';
  }

  private summary(): string {
    if (!this.state) return this.isConnected ? '' : 'Connecting to the counter …';
    const { photos } = this.queue;
    // Those of an earlier page of this phone are at the counter, and not in the list.
    const listed = new Set(photos.map(({ n }) => n));
    const earlier = Object.entries(this.state.photos).filter(
      ([n, { status }]) => status === 'there' && !listed.has(Number(n)),
    ).length;
    const there = earlier + photos.filter((photo) => photo.status === 'there').length;
    const all = there + photos.filter(isOpen).length;
    const refused = photos.filter(isRefused).length;
    const left =
      refused > 0 ? `${refused} ${refused === 1 ? 'was' : 'were'} refused: see below.` : '';
    if (all === 0) return left || 'The photos go straight to the counter.';
    const text = `${there} of ${all} ${all === 1 ? 'is' : 'are'} at the counter.`;
    return there === all ? `${text} ${left || 'You can close this page.'}` : text;
  }

  private showPhoto(photo: QueuedPhoto<File>): void {
    let row = this.rows.get(photo);
    if (!row) {
      row = newRow(photo, () => this.queue.retry(photo));
      this.rows.set(photo, row);
      list.prepend(row);
    }
    row.className = photo.status;
    const part = <T extends Element>(name: string) => (row as HTMLElement).querySelector(name) as T;
    part('.sign').textContent = {
      there: '✓',
      copy: '=',
      refused: '✗',
      dropped: '–',
      sending: '↑',
      waiting: '·',
    }[photo.status];
    const bar = part<HTMLProgressElement>('progress');
    bar.value = photo.progress;
    bar.hidden = !isOpen(photo);
    const message = part<HTMLElement>('.message');
    message.textContent = settledNotes[photo.status] ?? photo.message;
    message.hidden = message.textContent === '';
    part<HTMLElement>('button').hidden = !photo.again || this.isOver;
  }
}

const settledNotes: Partial<Record<QueuedPhoto<File>['status'], string>> = {
  copy: 'The same photo is at the counter already',
  dropped: 'Left out at the counter',
};

const isRefused = ({ status }: QueuedPhoto<File>): boolean => status === 'refused';
const isOpen = ({ status }: QueuedPhoto<File>): boolean =>
  status === 'waiting' || status === 'sending';

function newRow({ name, size }: QueuedPhoto<File>, retry: () => void): HTMLElement {
  const make = (tag: string, className: string, text = '') => {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  };
  const row = make('li', '');
  const line = make('div', 'row');
  line.append(
    make('span', 'sign'),
    make('span', 'name', name),
    make('span', 'size', sizeText(size)),
  );
  const bar = make('progress', '') as HTMLProgressElement;
  bar.max = 1;
  bar.setAttribute('aria-label', `${name} sent`);
  const button = make('button', '', 'Try again') as HTMLButtonElement;
  button.type = 'button';
  button.addEventListener('click', retry);
  row.append(line, bar, make('p', 'message'), button);
  return row;
}

// A code that is scanned again in the same tab changes only the fragment.
addEventListener('hashchange', () => location.reload());
void start();
