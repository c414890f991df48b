/** Samples in place of what differs from run to run and is nobody's business: the port, keys, links, and who owns the machine. */
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';

/** Where the pictures say that the service is: its default port. */
export const sampleUrl = 'http://127.0.0.1:8787';
const owner = 'anna';

/** For the browser: connections to the sample's address go to the service. */
export const leadTo = (serviceUrl: string): string =>
  `--host-resolver-rules=MAP ${hostOf(sampleUrl)} ${hostOf(serviceUrl)}`;

const hostOf = (url: string) => new URL(url).host;
const digest = (text: string) => createHash('sha256').update(text).digest();
const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const samplePrefix = (index: number) =>
  Array.from(digest(`key ${index}`).subarray(0, 12), (byte) => base32[byte & 31]).join('');
const sampleSecret = digest('secret').toString('base64url');

/** Writes samples into what the pages of the keys, accounts and the log read. */
export class Samples {
  readonly #serviceUrl: string;
  readonly #prefixes: string[] = [];

  constructor(serviceUrl: string) {
    this.#serviceUrl = serviceUrl;
  }

  /** Keys in the order of their samples, such as `csk_ab12cd34ef56`. */
  know(keys: readonly { readonly key: string }[]): void {
    this.#prefixes.push(...keys.map(({ key }) => key.replace('csk_', '')));
  }

  async show(page: Page): Promise<void> {
    await page.route('**/dashboard/api/v1/team/**', async (route) => {
      const request = route.request();
      const { pathname, search } = new URL(request.url());
      const headers = { ...(await request.allHeaders()), host: hostOf(sampleUrl) };
      const response = await route.fetch({ url: this.#serviceUrl + pathname + search, headers });
      await route.fulfill({ response, body: this.replace(await response.text()) });
    });
  }

  /** Throws if the page shows what only this run has. */
  async check(page: Page, picture: string): Promise<void> {
    const text = await page.evaluate<string>(
      "[document.body.innerText, ...[...document.querySelectorAll('input')].map(({ value }) => value)].join(' ')",
    );
    const own = [`:${new URL(this.#serviceUrl).port}`, ...this.#prefixes].filter((part) =>
      text.includes(part),
    );
    if (own.length > 0)
      throw new Error(`${picture} shows what only this run has: ${own.join(', ')}`);
  }

  /** An answer of the interface with samples in it. A key has the same sample everywhere. */
  replace(json: string): string {
    for (const [, prefix = ''] of json.matchAll(/csk_([a-z2-7]{12})/g))
      if (!this.#prefixes.includes(prefix)) this.#prefixes.push(prefix);
    return (
      this.#prefixes
        .reduce((text, prefix, index) => text.replaceAll(prefix, samplePrefix(index)), json)
        // As with --public-url: a link to this machine has no code to scan.
        .replaceAll(`${sampleUrl}/dashboard/link#`, 'https://garage.example/dashboard/link#')
        .replace(/(csk_[a-z2-7]{12}\.|\/link#)[\w-]{43}/g, `$1${sampleSecret}`)
        .replace(/"(actor|createdBy|changedBy)":"(?!admin:|screen:)[^"]*"/g, `"$1":"${owner}"`)
    );
  }
}
