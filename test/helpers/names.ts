/** Reads the names that completion and work without the server know, as a Tab and its refresh in the background do. */
import { cs } from './cli.ts';

const tabs = {
  cars: ['cars', 'get', ''],
  eventTypes: ['event-types', 'get', ''],
  locations: ['locations', 'get', ''],
  parkingSpots: ['parking', 'spots', 'get', ''],
  parkingZones: ['parking', 'zones', 'get', ''],
} as const;

export async function readNames(
  env: Record<string, string>,
  resources: readonly (keyof typeof tabs)[] = [
    'cars',
    'eventTypes',
    'parkingSpots',
    'parkingZones',
  ],
): Promise<void> {
  for (const resource of resources) await cs(['__complete', ...tabs[resource]], { env });
  await cs(['__complete-names', '{}'], { env });
}
