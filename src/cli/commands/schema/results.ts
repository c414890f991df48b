/** The results of commands that don't print records as the server sends them. Each schema is loaded when it is asked for. */
import type { z } from 'zod';

export interface ResultInfo {
  /** The command: `today`, `pending resume`. */
  readonly name: string;
  readonly about: string;
  readonly load: () => Promise<z.ZodType>;
}

export const results: readonly ResultInfo[] = [
  {
    name: 'dropoff',
    about: 'A car that was dropped off.',
    load: async () => (await import('../dropoff/shape.ts')).dropoffResult,
  },
  {
    name: 'pickup',
    about: 'A car that was picked up.',
    load: async () => (await import('../pickup/shape.ts')).pickupResult,
  },
  {
    name: 'move',
    about: 'A car that was moved.',
    load: async () => (await import('../move/shape.ts')).moveResult,
  },
  {
    name: 'undo',
    about: 'A drop-off, pick-up or move that was taken back.',
    load: async () => (await import('../undo/shape.ts')).undoResult,
  },
  {
    name: 'pending resume',
    about: 'The unfinished commands that were finished.',
    load: async () => (await import('../pending/shape.ts')).resumedResult,
  },
  {
    name: 'today',
    about: 'The day at the counter.',
    load: async () => (await import('../today/shape.ts')).dayReport,
  },
  {
    name: 'board',
    about: 'Zones with their spots and cars.',
    load: async () => (await import('../board/shape.ts')).boardResult,
  },
  {
    name: 'usage',
    about: 'Days stored in a month.',
    load: async () => (await import('../usage/shape.ts')).usageResult,
  },
  {
    name: 'audit',
    about: 'What a stock-taking found.',
    load: async () => (await import('../audit/shape.ts')).auditResult,
  },
  {
    name: 'facility plan',
    about: 'What `cs facility apply` would change.',
    load: async () => (await import('../facility/shape.ts')).facilityChanges,
  },
  {
    name: 'facility apply',
    about: 'What was changed.',
    load: async () => (await import('../facility/shape.ts')).facilityChanges,
  },
  {
    name: 'care apply',
    about: 'The series that were planned.',
    load: async () => (await import('../care/shape.ts')).careChanges,
  },
  {
    name: 'care due',
    about: 'The care that is due.',
    load: async () => (await import('../care/shape.ts')).careDueResult,
  },
  {
    name: 'report',
    about: 'A hand-over sheet that was written.',
    load: async () => (await import('../report/shape.ts')).reportResult,
  },
  {
    name: 'labels',
    about: 'Sheets of labels that were written.',
    load: async () => (await import('../labels/shape.ts')).labelsResult,
  },
  {
    name: 'cars photos missing',
    about: 'Cars whose last drop-off lacks photos.',
    load: async () => (await import('../photos/shape.ts')).missingPhotosResult,
  },
  {
    name: 'doctor',
    about: 'The checks of this cs and its server.',
    load: async () => (await import('../doctor/shape.ts')).doctorReport,
  },
];
