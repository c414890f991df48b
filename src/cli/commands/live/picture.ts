/** What the live view shows: lines, and the cars in them that can be chosen. */
import type { CallOptions } from '../../../client/client.ts';
import type { CarIdentity } from '../../../facility/car-names.ts';

export const flows = ['dropoff', 'pickup', 'move'] as const;
/** A command of the counter. */
export type Flow = (typeof flows)[number];

/** Its text has at most the width of the terminal, with colours. */
export interface DrawnLine {
  readonly text: string;
  /** Keys of the cars in it. */
  readonly cars?: readonly string[];
}

export interface LiveCar {
  /** Where it is drawn. A car with two appointments is drawn twice. */
  readonly key: string;
  readonly car: CarIdentity;
  /** Its place or its owner, for the line of the chosen car. */
  readonly about: string;
  /** What can be done with it. All of them where the server doesn't tell whether it is parked. */
  readonly flows: readonly Flow[];
}

export interface Picture {
  /** From top to bottom. */
  readonly cars: readonly LiveCar[];
  /** The chosen car is marked. */
  readonly draw: (width: number, chosenKey: string | undefined) => readonly DrawnLine[];
}

export const viewNames = ['board', 'today'] as const;
export type ViewName = (typeof viewNames)[number];

export interface LiveView {
  /** Time between two reads. */
  readonly seconds: number;
  readonly read: (call: CallOptions) => Promise<Picture>;
}

export type LiveViews = Readonly<Record<ViewName, LiveView>>;
