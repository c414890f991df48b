/** The small facility of `cs demo`, with invented people and cars. */

export const team = { name: 'Demo Garage', timezone: 'Europe/Berlin' };

interface DemoLocation {
  name: string;
  address: { line1: string; city: string; postalCode: string; country: string };
  zones: { name: string; capacity?: number; spots: string[]; kind?: 'lift' }[];
}

export const locations: readonly DemoLocation[] = [
  {
    name: 'Harbour',
    address: { line1: 'Kaistrasse 12', city: 'Hamburg', postalCode: '20457', country: 'DE' },
    zones: [
      { name: 'Hall A', capacity: 4, spots: ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'] },
      { name: 'Lift bay', capacity: 1, spots: ['L1', 'L2', 'L3', 'L4'], kind: 'lift' },
    ],
  },
  {
    name: 'Old Mill',
    address: { line1: 'Mühlenweg 3', city: 'Pinneberg', postalCode: '25421', country: 'DE' },
    zones: [
      { name: 'Barn', capacity: 3, spots: ['B1', 'B2', 'B3', 'B4'] },
      { name: 'Yard', spots: [] },
    ],
  },
];

const person = (
  [firstName, lastName, email]: readonly [string, string, string],
  phone: string | null,
  ...tags: string[]
) => ({ firstName, lastName, email: `${email}@example.com`, phone, tags });

export const customers = [
  person(['Ann', 'Lee', 'ann.lee'], '+49 40 555 0101', 'classic'),
  person(['Tom', 'Brandt', 'tom.brandt'], '+49 40 555 0102'),
  person(['Zoë', 'Müller', 'zoe.mueller'], null, 'classic', 'events'),
  person(['Ravi', 'Nair', 'ravi.nair'], '+49 40 555 0104'),
  {
    companyName: 'Nordlicht Film GmbH',
    email: 'fuhrpark@nordlicht.example',
    phone: '+49 40 555 0105',
    tags: ['company'],
  },
  person(['Ingrid', 'Østergaard', 'ingrid'], null, 'winter'),
];

/** `from` is an index of `customers`. */
export const message = {
  from: 0,
  subject: 'Winter storage',
  body: 'Hello, could you have the Porsche ready on Friday at 10? I will bring the winter tyres. Thank you! Ann',
};

/** `owner` is an index of `customers`; a car with a `spot` is parked there from the start. */
const car = (
  [year, make, model, color]: readonly [number, string, string, string],
  [licensePlate, vin, nickname]: readonly [string, string, string | null],
  owner: number,
  spot?: string,
) => ({ year, make, model, color, licensePlate, vin, nickname, owner, spot });

export const cars = [
  car(
    [1973, 'Porsche', '911 Carrera RS', 'Grand Prix white'],
    ['HH-RS 73', '9113600123', 'Ducktail'],
    0,
  ),
  car([1961, 'Jaguar', 'E-Type', 'British racing green'], ['HH-E 61H', '885012', 'Emma'], 0),
  car([1988, 'BMW', 'M3 (E30)', 'Henna red'], ['PI-M 388', 'WBSAK0500J2195012', null], 1, 'A2'),
  car([1969, 'Fiat', '500 L', 'Cream'], ['HH-FI 500', '110F2456789', 'Topolina'], 2, 'A4'),
  car([1994, 'Mazda', 'MX-5', 'Blue'], ['HH-MX 5', 'JM1NA3510R0512345', null], 2),
  car([2011, 'Lotus', 'Elise', 'Solar yellow'], ['HH-LO 11', 'SCCLMDDN3BHA10234', 'Wasp'], 3, 'L1'),
  car([2022, 'Tesla', 'Model S', 'Black'], ['HH-TS 22E', '5YJSA1E50NF412345', null], 3),
  car([1958, 'Volkswagen', 'T1 Samba', 'Red and white'], ['HH-VW 58H', '312456', 'Bulli'], 4, 'B1'),
  car(
    [1978, 'Mercedes-Benz', '450 SEL 6.9', 'Silver'],
    ['HH-NF 69', '11603612003456', null],
    4,
    'B2',
  ),
  car(
    [1999, 'Land Rover', 'Defender 110', 'Coniston green'],
    ['PI-LR 110', 'SALLDHM88XA167890', null],
    5,
  ),
  car(
    [2004, 'Ferrari', '360 Challenge Stradale', 'Rosso corsa'],
    ['HH-CS 360', 'ZFFDU57B000134567', null],
    5,
    'L3',
  ),
  car([1965, 'Ford', 'Mustang', 'Wimbledon white'], ['HH-MU 65H', '5F07C123456', 'Sally'], 1),
];
