import { describe, expect, test } from 'vitest';
import { describeForHelp, yesNoDescriptions } from '../../../src/cli/crud/fields.ts';

const fields = ['startAt', 'status', 'hard', 'fromAddress'].map((name) => ({
  name,
  flag: `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
}));

test.each([
  ['When it ends; after startAt.', 'When it ends; after --start-at'],
  ['Take it out of use, or remove it with hard=true.', 'Take it out of use, or remove it with --hard'],
  ['The name, beside fromAddress; for e-mail.', 'The name, beside --from-address; for e-mail'],
  ['How many may come; null for no limit.', 'How many may come; empty for no limit'],
  ['The event type; in an answer always the one that was found, however it was given.', 'The event type'],
  ['The status; see otherField.', 'The status; see otherField'],
])('%j as help', (about, help) => {
  expect(describeForHelp(about, fields)).toBe(help);
});

describe('both forms of a boolean flag', () => {
  test.each([
    ['isActive', 'whether the zone is in use', ['the zone is in use', 'the zone is not in use']],
    ['isActive', 'locations in use', ['locations in use', 'the others']],
    ['available', 'spots in use that are free, or the others', ['spots in use that are free', 'the others']],
    ['emailOptOut', 'wants no marketing by e-mail', ['wants no marketing by e-mail', 'may be sent marketing by e-mail']],
    ['isNew', 'is new', ['is new', 'the opposite of --is-new']],
  ])('%s: %s', (name, about, both) => {
    expect(yesNoDescriptions(about, { name, flag: '--is-new' })).toEqual(both);
  });
});
