/** Campaigns for tests, created through the interface. */
import { expect, vi } from 'vitest';
import type { CreateFor, RecordFor } from '../../src/contract/contract.ts';
import type { OutboxMessage } from '../../src/service/outbox/outbox.ts';
import type { Transport } from '../../src/service/outbox/transport.ts';
import type { TestService } from './service.ts';

type Campaign = RecordFor<'campaigns'>;
type Send = RecordFor<'campaignSends'>;

export interface Campaigns {
  campaign(given?: Partial<CreateFor<'campaigns'>>): Promise<Campaign>;
  audience(
    campaignId: string,
    given?: Partial<CreateFor<'campaignAudiences'>>,
  ): Promise<RecordFor<'campaignAudiences'>>;
  step(campaignId: string, given?: CreateFor<'campaignSteps'>): Promise<RecordFor<'campaignSteps'>>;
  template(given?: Partial<CreateFor<'templates'>>): Promise<RecordFor<'templates'>>;
  /** A campaign with one step for these customers (default: all). */
  ready(customerIds?: readonly string[]): Promise<Campaign>;
  /** Changes the status. */
  set(campaignId: string, status: Campaign['status']): Promise<Campaign>;
  read(campaignId: string): Promise<Campaign>;
  sends(campaignId: string): Promise<Send[]>;
  /** Waits until the campaign has these values. */
  becomes(
    campaignId: string,
    shown: Omit<Partial<Campaign>, 'stats'> & { stats?: Partial<Campaign['stats']> },
  ): Promise<Campaign>;
  /** Waits until the campaign has its first sends. */
  becomesReaching(campaignId: string): Promise<void>;
}

let made = 0;

export function campaignsOf(service: Pick<TestService, 'call'>): Campaigns {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, `/marketing${path}`, body);
    if (answer.status >= 300)
      throw new Error(
        `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    return answer.body.data;
  };
  const next = (what: string) => `${what} ${++made}`;
  const of: Campaigns = {
    campaign: (given) =>
      ask('POST', '/campaigns', { name: next('Campaign'), channel: 'email', ...given }),
    audience: (id, given) =>
      ask('POST', `/campaigns/${id}/audiences`, { name: next('Audience'), ...given }),
    step: (id, given) =>
      ask('POST', `/campaigns/${id}/content`, {
        subject: next('Subject'),
        body: next('Body'),
        ...given,
      }),
    template: (given) =>
      ask('POST', '/templates', {
        name: next('Template'),
        channel: 'email',
        body: next('Text'),
        ...given,
      }),
    async ready(customerIds) {
      const campaign = await of.campaign();
      await of.audience(
        campaign.id,
        customerIds ? { filter: { customerIds: [...customerIds] } } : {},
      );
      await of.step(campaign.id);
      return campaign;
    },
    set: (id, status) => ask('PATCH', `/campaigns/${id}`, { status }),
    read: (id) => ask('GET', `/campaigns/${id}`),
    sends: (id) => ask('GET', `/campaigns/${id}/sends?limit=200`),
    becomes: (id, shown) =>
      vi.waitFor(
        async () => {
          const campaign = await of.read(id);
          expect(campaign).toMatchObject(shown);
          return campaign;
        },
        { timeout: 30_000, interval: 10 },
      ),
    async becomesReaching(id) {
      await vi.waitFor(
        async () => expect((await of.read(id)).stats.recipients).toBeGreaterThan(0),
        { timeout: 30_000, interval: 10 },
      );
    },
  };
  return of;
}

export interface LetterBox extends Transport {
  /** The accepted letters, in order. */
  readonly letters: readonly OutboxMessage[];
  /** Accepts no more letters until `open`; `held` is the letter that waits. */
  shut(): void;
  open(): void;
  /** Resolves once a letter waits. */
  readonly held: Promise<OutboxMessage>;
}

/** A transport that stores its letters; `answer` may refuse one. */
export function letterBox({
  answer = () => undefined,
}: {
  answer?: (letter: OutboxMessage) => void;
} = {}): LetterBox {
  const letters: OutboxMessage[] = [];
  let gate = Promise.withResolvers<void>();
  let slot = Promise.withResolvers<OutboxMessage>();
  gate.resolve();
  return {
    name: 'letter box',
    letters,
    get held() {
      return slot.promise;
    },
    shut() {
      gate = Promise.withResolvers();
      slot = Promise.withResolvers();
    },
    open: () => gate.resolve(),
    async send(letter) {
      slot.resolve(letter);
      await gate.promise;
      answer(letter);
      letters.push(letter);
      return { externalId: null };
    },
    close: async () => undefined,
  };
}
