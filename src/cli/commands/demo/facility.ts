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

export const customers = [
  {
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann.lee@example.com',
    phone: '+49 40 555 0101',
    tags: ['classic'],
  },
  {
    firstName: 'Tom',
    lastName: 'Brandt',
    email: 'tom.brandt@example.com',
    phone: '+49 40 555 0102',
    tags: [],
  },
  {
    firstName: 'Zoë',
    lastName: 'Müller',
    email: 'zoe.mueller@example.com',
    phone: null,
    tags: ['classic', 'events'],
  },
  {
    firstName: 'Ravi',
    lastName: 'Nair',
    email: 'ravi.nair@example.com',
    phone: '+49 40 555 0104',
    tags: [],
  },
  {
    companyName: 'Nordlicht Film GmbH',
    email: 'fuhrpark@nordlicht.example',
    phone: '+49 40 555 0105',
    tags: ['company'],
  },
  {
    firstName: 'Ingrid',
    lastName: 'Østergaard',
    email: 'ingrid@example.com',
    phone: null,
    tags: ['winter'],
  },
] as const;

/** `from` is an index of `customers`. */
export const message = {
  from: 0,
  subject: 'Winter storage',
  body: 'Hello, could you have the Porsche ready on Friday at 10? I will bring the winter tyres. Thank you! Ann',
};

/** `owner` is an index of `customers`; a car with a `spot` is parked there from the start. */
export const cars = [
  {
    year: 1973,
    make: 'Porsche',
    model: '911 Carrera RS',
    color: 'Grand Prix white',
    licensePlate: 'HH-RS 73',
    vin: '9113600123',
    nickname: 'Ducktail',
    owner: 0,
  },
  {
    year: 1961,
    make: 'Jaguar',
    model: 'E-Type',
    color: 'British racing green',
    licensePlate: 'HH-E 61H',
    vin: '885012',
    nickname: 'Emma',
    owner: 0,
  },
  {
    year: 1988,
    make: 'BMW',
    model: 'M3 (E30)',
    color: 'Henna red',
    licensePlate: 'PI-M 388',
    vin: 'WBSAK0500J2195012',
    nickname: null,
    owner: 1,
    spot: 'A2',
  },
  {
    year: 1969,
    make: 'Fiat',
    model: '500 L',
    color: 'Cream',
    licensePlate: 'HH-FI 500',
    vin: '110F2456789',
    nickname: 'Topolina',
    owner: 2,
    spot: 'A4',
  },
  {
    year: 1994,
    make: 'Mazda',
    model: 'MX-5',
    color: 'Blue',
    licensePlate: 'HH-MX 5',
    vin: 'JM1NA3510R0512345',
    nickname: null,
    owner: 2,
  },
  {
    year: 2011,
    make: 'Lotus',
    model: 'Elise',
    color: 'Solar yellow',
    licensePlate: 'HH-LO 11',
    vin: 'SCCLMDDN3BHA10234',
    nickname: 'Wasp',
    owner: 3,
    spot: 'L1',
  },
  {
    year: 2022,
    make: 'Tesla',
    model: 'Model S',
    color: 'Black',
    licensePlate: 'HH-TS 22E',
    vin: '5YJSA1E50NF412345',
    nickname: null,
    owner: 3,
  },
  {
    year: 1958,
    make: 'Volkswagen',
    model: 'T1 Samba',
    color: 'Red and white',
    licensePlate: 'HH-VW 58H',
    vin: '312456',
    nickname: 'Bulli',
    owner: 4,
    spot: 'B1',
  },
  {
    year: 1978,
    make: 'Mercedes-Benz',
    model: '450 SEL 6.9',
    color: 'Silver',
    licensePlate: 'HH-NF 69',
    vin: '11603612003456',
    nickname: null,
    owner: 4,
    spot: 'B2',
  },
  {
    year: 1999,
    make: 'Land Rover',
    model: 'Defender 110',
    color: 'Coniston green',
    licensePlate: 'PI-LR 110',
    vin: 'SALLDHM88XA167890',
    nickname: null,
    owner: 5,
  },
  {
    year: 2004,
    make: 'Ferrari',
    model: '360 Challenge Stradale',
    color: 'Rosso corsa',
    licensePlate: 'HH-CS 360',
    vin: 'ZFFDU57B000134567',
    nickname: null,
    owner: 5,
    spot: 'L3',
  },
  {
    year: 1965,
    make: 'Ford',
    model: 'Mustang',
    color: 'Wimbledon white',
    licensePlate: 'HH-MU 65H',
    vin: '5F07C123456',
    nickname: 'Sally',
    owner: 1,
  },
] as const;
