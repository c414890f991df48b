/** What the phone is called at the counter. */
import { expect, test } from 'vitest';
import { deviceName } from '../../../src/phone/device.ts';

const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1';
const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari}`;

test.each([
  ['iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${safari}`, 5],
  ['iPhone', `Mozilla/5.0 (iPod touch; CPU iPhone OS 15_0 like Mac OS X) ${safari}`, 5],
  ['iPad', `Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) ${safari}`, 5],
  ['iPad', mac, 5],
  ['Browser', mac, 0],
  ['Pixel 7', 'Mozilla/5.0 (Linux; Android 14; Pixel 7) Chrome/149.0 Mobile', 5],
  ['SM-G960F', 'Mozilla/5.0 (Linux; Android 10; SM-G960F Build/QP1A.190711; wv) Chrome/80', 5],
  ['Android phone', 'Mozilla/5.0 (Linux; Android 10; K) Chrome/149.0 Mobile', 5],
  ['Android phone', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 5],
  ['Android tablet', 'Mozilla/5.0 (Android 15; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0', 5],
])('%s: %s with %d points of touch', (name, agent, touchPoints) => {
  expect(deviceName(agent, touchPoints)).toBe(name);
});
