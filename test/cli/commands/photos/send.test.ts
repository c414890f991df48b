/** Photos against what the journal of their work knows. */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Journal } from '../../../../src/cli/commands/counter/action.ts';
import { sendPhotos } from '../../../../src/cli/commands/photos/send.ts';
import { createClient } from '../../../../src/client/client.ts';
import { png } from '../../../helpers/facility.ts';
import { json, record, startMisbehavingServer } from '../../../helpers/misbehaving-server.ts';
import { photoFolder } from './folder.ts';

const folder = await photoFolder();
const bytes = png(1);
const content = { filename: '1.png', sizeBytes: bytes.length, sha256: hash('sha256', bytes) };
const noted: string[] = [];
const journal: Journal = {
  step: () => undefined,
  mayRepeat: async () => false,
  undecided: () => new Error() as never,
  key: (name) => `key-${name}`,
  begin: (name) => void noted.push(`begin ${name}`),
  refused: (name) => void noted.push(`refused ${name}`),
  done: (name) => void noted.push(`done ${name}`),
};

/** To a server that lists these photos, or refuses to. */
async function send(
  names: readonly string[],
  listed: object[] | undefined,
  steps: Partial<Journal> = {},
  answer = record({ id: 'new', filename: '1.png' }),
) {
  const server = await startMisbehavingServer(({ method, url }) =>
    method === 'POST'
      ? answer
      : url.includes('/photos')
        ? listed
          ? json(200, { data: listed, total: listed.length, page: 1, limit: 200 })
          : json(403, { error: 'no' })
        : json(404, { error: 'none' }),
  );
  const client = createClient({ baseUrl: server.url, key: 'csk_a.b', retries: 0 });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const photos = await Promise.all(
    names.map(async (name) => ({
      name,
      path: await folder.put(name, bytes),
      sha256: content.sha256,
    })),
  );
  noted.length = 0;
  const sent = await sendPhotos({
    client,
    carId: 'car',
    sessionId: 's1',
    photos,
    journal: { ...journal, ...steps },
  });
  return {
    sent: sent.map(({ upload: { status, photoId, filename, sameAs, error } }) =>
      [status, photoId ?? error?.code, filename, sameAs && `as ${basename(sameAs)}`]
        .filter(Boolean)
        .join(' '),
    ),
    posts: server.requests.filter(({ method }) => method === 'POST').length,
  };
}

/** It was sent by an earlier run. */
const unanswered: Partial<Journal> = {
  step: () => ({ state: 'sent', sentAt: 0, content, answer: undefined }),
};

test('files with the same bytes are sent once', async () => {
  expect(await send(['1.png', '2.png', '3.png'], [])).toEqual({
    sent: ['stored new 1.png', 'stored new 2.png as 1.png', 'stored new 3.png as 1.png'],
    posts: 1,
  });
  expect(noted).toEqual(['begin 1.png', 'done 1.png']);
});

test('a refusal is noted, and what may be stored stays open', async () => {
  const refusal = json(422, { error: 'No.' });
  expect((await send(['1.png', '2.png'], [], {}, refusal)).sent).toEqual([
    ...['failed http_422 1.png', 'failed http_422 2.png'],
  ]);
  expect(noted).toEqual(['begin 1.png', 'refused 1.png']);
  await send(['1.png'], [], {}, json(500, { error: 'No.' }));
  expect(noted).toEqual(['begin 1.png']);
});

test.each([
  ['the one of its session', { sessionId: 's1' }, ['stored old 1.png'], 0],
  ['one without a session', {}, ['stored old 1.png'], 0],
  ['one of another session', { sessionId: 's2' }, ['stored new 1.png'], 1],
  ['one with other bytes', { sessionId: 's1', sha256: 'cd'.repeat(32) }, ['stored new 1.png'], 1],
  [
    'one that tells too little',
    { sha256: null, sizeBytes: null },
    ['failed outcome_unknown 1.png'],
    0,
  ],
])(
  'a photo without an answer, on a server without keys that lists %s',
  async (_, fields, sent, posts) => {
    const old = { id: 'old', ...content, ...fields };
    expect(await send(['1.png'], [old], unanswered)).toEqual({ sent, posts });
  },
);

test('a photo without an answer, on a server without keys that lists none to this key', async () => {
  expect(await send(['1.png'], undefined, unanswered)).toEqual({
    sent: ['failed outcome_unknown 1.png'],
    posts: 0,
  });
});

test('a photo without an answer is sent again where the server knows its key', async () => {
  const steps = { ...unanswered, mayRepeat: async () => true };
  const old = { id: 'old', ...content, sessionId: 's1' };
  expect(await send(['1.png'], [old], steps)).toEqual({ sent: ['stored new 1.png'], posts: 1 });
});
