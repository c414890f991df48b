/**
 * The interface, written by hand from the specification and the decisions (docs/decisions.md), independent of src. Two tests use it:
 * test/contract/interface-table.test.ts compares it with the contract, test/service/interface-table.test.ts with a running service.
 * So a scope that is too weak in the contract fails a test, although all code derived from the contract agrees with it.
 */

export interface StatedResource {
  /** `method path scopes status`, the list first; `a+b` needs both scopes, `a|b` either, `-` none. `201|200`: 200 if the record already exists. */
  readonly operations: readonly string[];
  /** Set by the service: neither a POST nor a PATCH accepts them. */
  readonly readOnly?: readonly string[];
  /** A POST accepts them, a PATCH doesn't. */
  readonly createOnly?: readonly string[];
  /** A PATCH accepts them, a POST doesn't. */
  readonly updateOnly?: readonly string[];
  /** The resource that a field refers to; `outer.inner` for a property of an object. */
  readonly references?: Readonly<Record<string, string>>;
  /**
   * The fields with such values: `least..most` as numbers, of `chars` or `of` other values, one of several words, a pattern or
   * format with the most characters, or the properties of an object.
   */
  readonly values?: Readonly<Record<string, string>>;
  /** What a POST stores in the fields that it leaves out, where that isn't null. */
  readonly initial?: Readonly<Record<string, unknown>>;
  /** What no two records of a team share: `field`, `field in other`, `in any case`, `unless` they have a state. */
  readonly unique?: readonly string[];
  /**
   * The parameters of its list besides those of every list and `q`: a field that equals the value; `by its letters`, where another server
   * spells it otherwise; a time `from` or `to` which a field is; or a rule, about a field or its own. A `required` one may not be left out.
   */
  readonly filters?: readonly string[];
  /** The fields that `q` searches. */
  readonly search?: readonly string[];
  /**
   * The states that a POST may set (default: any), and for each state the next ones that a PATCH may set.
   * All others are refused with `invalid_transition`, or with another of `codes`.
   */
  readonly status?: {
    readonly first?: readonly string[];
    readonly to: Readonly<Record<string, readonly string[]>>;
    readonly codes?: Readonly<Record<string, string>>;
  };
}

/** The operations that the specification shows with their paths (section 4). */
export const specified = [
  'DELETE /contacts/{id}',
  'DELETE /locations/{id}',
  'DELETE /marketing/campaigns/{id}/content/{stepId}',
  'DELETE /marketing/social-events/{id}',
  'DELETE /marketing/templates/{id}',
  'GET /cars',
  'GET /cars/{id}',
  'GET /customers',
  'GET /event-types',
  'POST /appointments',
  'POST /cars/{id}/events',
  'POST /cars/{id}/photos',
];

/** Scopes that a POST needs if its body has one of the fields (specification, POST /cars/{id}/events). */
export const bodyScopes = [
  {
    operation: 'POST /cars/{id}/events',
    scopes: ['write:cars'],
    fields: ['parkingSpotId', 'parkingZoneId'],
    needs: 'write:parking',
  },
] as const;

export const interfaceTable: Readonly<Record<string, StatedResource>> = {
  me: {
    operations: ['GET /me - 200'],
    readOnly: ['team', 'keyName', 'scopes', 'expiresAt'],
    values: {
      'id uuid, name 1..255 chars, slug 0..64 chars, timezone ^[A-Za-z][A-Za-z0-9_+/-]{0,63}$':
        'team',
      '1..255 chars': 'keyName',
    },
  },

  cars: {
    operations: [
      'GET /cars read:cars 200',
      'GET /cars/{id} read:cars 200',
      'POST /cars read:cars+write:cars 201',
      'PATCH /cars/{id} read:cars+write:cars 200',
    ],
    readOnly: ['parkingSpotId', 'parkingZoneId'],
    references: {
      customerId: 'customers',
      locationId: 'locations',
      parkingSpotId: 'parkingSpots',
      parkingZoneId: 'parkingZones',
    },
    status: {
      first: ['expected', 'checked_out', 'archived'],
      to: {
        expected: ['archived'],
        stored: [],
        checked_out: ['archived'],
        archived: ['checked_out'],
      },
      codes: { 'stored to archived': 'car_parked' },
    },
    initial: { status: 'expected' },
    unique: ['vin unless archived'],
    filters: [
      'customerId',
      'status',
      'locationId',
      'vin by its letters',
      'licensePlate by its letters',
    ],
    search: ['licensePlate', 'vin', 'make', 'model', 'nickname', 'color'],
    values: {
      '1886..': 'year',
      '1..100 chars': 'make model trim color nickname',
      '^[A-Z0-9-]{1,25}$': 'vin',
      '1..32 chars': 'licensePlate licensePlateRegion',
      '0..': 'mileage',
      'expected|stored|checked_out|archived': 'status',
      '0..10000 chars': 'notes',
    },
  },
  carEvents: {
    operations: [
      'GET /cars/{id}/events read:cars 200',
      'GET /cars/{id}/events/{eventId} read:cars 200',
      'POST /cars/{id}/events write:cars 201',
    ],
    readOnly: ['carId', 'eventTypeId', 'sessionId', 'parkingAssignmentId'],
    createOnly: [
      'activityType',
      'parkingSpotId',
      'parkingZoneId',
      'notes',
      'occurredAt',
      'appointmentId',
    ],
    references: {
      parkingSpotId: 'parkingSpots',
      parkingZoneId: 'parkingZones',
      appointmentId: 'appointments',
      carId: 'cars',
      eventTypeId: 'eventTypes',
      sessionId: 'eventSessions',
      parkingAssignmentId: 'parkingAssignments',
    },
    filters: [
      'activityType',
      'appointmentId',
      'occurredFrom: from occurredAt',
      'occurredTo: to occurredAt',
    ],
    values: { '^[a-z][a-z0-9_]{0,63}$': 'activityType', '0..10000 chars': 'notes' },
  },
  carPhotos: {
    operations: [
      'GET /cars/{id}/photos read:cars 200',
      'GET /cars/{id}/photos/{photoId} read:cars 200',
      'GET /cars/{id}/photos/{photoId}/content read:cars 200',
      'POST /cars/{id}/photos write:cars 201|200',
      'DELETE /cars/{id}/photos/{photoId} write:cars 200',
    ],
    readOnly: ['carId', 'sizeBytes', 'sha256', 'width', 'height', 'url'],
    createOnly: ['sessionId', 'filename', 'contentType', 'sourceUrl', 'base64'],
    references: { carId: 'cars', sessionId: 'eventSessions' },
    filters: ['sessionId'],
    values: {
      '0..': 'sizeBytes width height',
      '^[0-9a-f]{64}$': 'sha256',
      '0.. chars': 'url',
      '1..255 chars': 'filename',
      'image/jpeg|image/png|image/webp|image/heic|image/heif|image/avif|image/gif': 'contentType',
      'uri ..2048': 'sourceUrl',
    },
  },
  eventTypes: {
    operations: [
      'GET /event-types read:appointments|read:cars 200',
      'GET /event-types/{id} read:appointments|read:cars 200',
    ],
    readOnly: [
      'value',
      'scope',
      'config',
      'photos',
      'name',
      'description',
      'durationMinutes',
      'isActive',
      'options',
    ],
    filters: ['scope', 'isActive'],
    values: {
      '^[a-z][a-z0-9_]{0,63}$': 'value',
      'vehicle|customer|facility': 'scope',
      'requiresParkingSpot boolean, releasesParkingSpot boolean': 'config',
      '0.. of 0.. chars': 'photos',
      '1..255 chars': 'name',
      '0..10000 chars': 'description',
      '1..': 'durationMinutes',
      '0.. of id uuid, name 1..255 chars, durationMinutes 1..': 'options',
    },
  },
  eventSessions: {
    operations: [
      'GET /event-sessions read:appointments|read:cars 200',
      'GET /event-sessions/{id} read:appointments|read:cars 200',
    ],
    readOnly: [
      'eventTypeId',
      'carId',
      'customerId',
      'appointmentId',
      'carEventId',
      'status',
      'startedAt',
      'photoCount',
    ],
    references: {
      eventTypeId: 'eventTypes',
      carId: 'cars',
      customerId: 'customers',
      appointmentId: 'appointments',
      carEventId: 'carEvents',
    },
    initial: { photoCount: 0 },
    filters: ['appointmentId', 'carId', 'status'],
    values: {
      'ready|open|cancelled': 'status',
      '0..': 'photoCount',
    },
  },

  appointments: {
    operations: [
      'GET /appointments read:appointments 200',
      'GET /appointments/{id} read:appointments 200',
      'POST /appointments write:appointments 201',
      'PATCH /appointments/{id} write:appointments 200',
    ],
    createOnly: [
      'recurrenceFrequency',
      'recurrenceInterval',
      'recurrenceDaysOfWeek',
      'recurrenceDayOfMonth',
      'recurrenceEndDate',
      'recurrenceCount',
      'recurrenceSeriesId',
      'eventTypeId',
      'eventType',
    ],
    references: {
      locationId: 'locations',
      appointmentTypeId: 'eventTypes',
      eventTypeId: 'eventTypes',
      carId: 'cars',
      secondaryCarId: 'cars',
      customerId: 'customers',
    },
    status: {
      to: {
        pending_approval: ['scheduled', 'accepted', 'declined', 'cancelled'],
        scheduled: ['accepted', 'checked_in', 'in_progress', 'completed', 'cancelled', 'no_show'],
        accepted: ['scheduled', 'checked_in', 'in_progress', 'completed', 'cancelled', 'no_show'],
        checked_in: ['in_progress', 'completed', 'cancelled'],
        in_progress: ['completed', 'cancelled'],
        declined: ['scheduled'],
        cancelled: ['scheduled'],
        no_show: ['scheduled'],
        completed: ['in_progress'],
      },
    },
    initial: { status: 'scheduled' },
    filters: [
      'status',
      'customerId',
      'carId',
      'locationId',
      'appointmentTypeId',
      'recurrenceSeriesId',
      'startFrom: from startAt',
      'startTo: to startAt',
    ],
    values: {
      'scheduled|pending_approval|accepted|declined|checked_in|in_progress|completed|cancelled|no_show':
        'status',
      '0..255 chars': 'title',
      '0..10000 chars': 'notes',
      'daily|weekly|biweekly|monthly|quarterly|yearly': 'recurrenceFrequency',
      '1..': 'recurrenceInterval recurrenceCount',
      '0.. of 0..6': 'recurrenceDaysOfWeek',
      '1..31': 'recurrenceDayOfMonth',
      '1..255 chars': 'eventType',
    },
  },

  customers: {
    operations: [
      'GET /customers read:customers 200',
      'GET /customers/{id} read:customers 200',
      'POST /customers write:customers 201',
      'PATCH /customers/{id} write:customers 200',
    ],
    initial: { status: 'active', emailOptOut: false, smsOptOut: false, tags: [] },
    unique: ['externalId'],
    filters: ['status', 'email: rule of email', 'externalId'],
    search: ['firstName', 'lastName', 'companyName', 'email', 'phone'],
    values: {
      '1..255 chars': 'firstName lastName companyName externalId',
      'email ..254': 'email',
      '1..32 chars': 'phone',
      'line1 0..255 chars, line2 0..255 chars, city 0..255 chars, region 0..255 chars, postalCode 0..32 chars, country 0..100 chars':
        'address',
      'lead|active|former': 'status',
      '0..50 of 1..100 chars': 'tags',
      '0..10000 chars': 'notes',
    },
  },
  contacts: {
    operations: [
      'GET /contacts read:contacts 200',
      'GET /contacts/{id} read:contacts 200',
      'POST /contacts write:contacts 201',
      'PATCH /contacts/{id} write:contacts 200',
      'DELETE /contacts/{id} write:contacts 200',
    ],
    references: { customerId: 'customers' },
    initial: { isPrimary: false, emailOptOut: false, smsOptOut: false },
    filters: ['customerId', 'email: rule of email'],
    search: ['firstName', 'lastName', 'email', 'phone'],
    values: {
      '1..255 chars': 'firstName lastName',
      'email ..254': 'email',
      '1..32 chars': 'phone',
      'spouse|assistant|bookkeeper|vehicle_manager|other': 'role',
      '0..10000 chars': 'notes',
    },
  },
  locations: {
    operations: [
      'GET /locations read:locations 200',
      'GET /locations/{id} read:locations 200',
      'POST /locations write:locations 201',
      'PATCH /locations/{id} write:locations 200',
      'DELETE /locations/{id} write:locations 200',
    ],
    initial: { isActive: true },
    unique: ['name in any case'],
    filters: ['isActive'],
    search: ['name', 'email', 'phone'],
    values: {
      '1..255 chars': 'name',
      '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$': 'timezone',
      'line1 0..255 chars, line2 0..255 chars, city 0..255 chars, region 0..255 chars, postalCode 0..32 chars, country 0..100 chars':
        'address',
      '1..32 chars': 'phone',
      'email ..254': 'email',
      '0..10000 chars': 'notes',
    },
  },

  parkingZones: {
    operations: [
      'GET /parking/zones read:parking 200',
      'GET /parking/zones/{id} read:parking 200',
      'POST /parking/zones write:parking 201',
      'PATCH /parking/zones/{id} write:parking 200',
    ],
    readOnly: ['occupied', 'available'],
    createOnly: ['locationId'],
    references: { locationId: 'locations' },
    initial: { isActive: true, occupied: 0 },
    unique: ['name in locationId'],
    filters: ['locationId', 'isActive', 'available: rule'],
    values: {
      '0..': 'occupied',
      '..': 'available',
      '1..255 chars': 'name',
      '1..': 'capacity',
      '0..10000 chars': 'notes',
    },
  },
  parkingSpots: {
    operations: [
      'GET /parking/spots read:parking 200',
      'GET /parking/spots/{id} read:parking 200',
      'POST /parking/spots write:parking 201',
      'PATCH /parking/spots/{id} write:parking 200',
    ],
    readOnly: ['occupiedByCarId'],
    createOnly: ['locationId'],
    references: { locationId: 'locations', zoneId: 'parkingZones', occupiedByCarId: 'cars' },
    initial: { kind: 'standard', isActive: true },
    unique: ['name in locationId'],
    filters: ['locationId', 'zoneId', 'isActive', 'available: rule'],
    values: { '1..255 chars': 'name', 'standard|lift': 'kind', '0..10000 chars': 'notes' },
  },
  parkingAssignments: {
    operations: [
      'GET /parking/assignments read:parking 200',
      'GET /parking/assignments/{id} read:parking 200',
      'POST /parking/assignments write:parking 201|200',
      'PATCH /parking/assignments/{id} write:parking 200',
    ],
    readOnly: ['startedByEventId', 'endedByEventId', 'startedByKey', 'endedByKey'],
    createOnly: ['carId', 'parkingSpotId', 'parkingZoneId', 'startedAt'],
    updateOnly: ['endedAt'],
    references: {
      carId: 'cars',
      parkingSpotId: 'parkingSpots',
      parkingZoneId: 'parkingZones',
      startedByEventId: 'carEvents',
      endedByEventId: 'carEvents',
    },
    filters: ['carId', 'parkingSpotId', 'parkingZoneId', 'active: rule'],
    values: {
      '1..255 chars': 'startedByKey endedByKey',
      '0..10000 chars': 'notes',
    },
  },

  threads: {
    operations: [
      'GET /communications/threads read:communications 200',
      'GET /communications/threads/{id} read:communications 200',
      'POST /communications/threads write:communications 201',
      'PATCH /communications/threads/{id} write:communications 200',
    ],
    readOnly: ['lastMessageAt', 'messageCount'],
    createOnly: ['channel'],
    references: { customerId: 'customers', contactId: 'contacts', carId: 'cars' },
    initial: { status: 'open', messageCount: 0 },
    filters: ['customerId', 'contactId', 'status', 'channel'],
    values: {
      '0..': 'messageCount',
      'email|sms|internal': 'channel',
      '1..255 chars': 'subject',
      'open|pending|resolved': 'status',
    },
  },
  messages: {
    operations: [
      'GET /communications/threads/{id}/messages read:communications 200',
      'GET /communications/threads/{id}/messages/{messageId} read:communications 200',
      'POST /communications/threads/{id}/messages write:communications 201|200',
      'PATCH /communications/threads/{id}/messages/{messageId} write:communications 200',
    ],
    readOnly: ['threadId', 'status', 'recipient', 'sentAt', 'error'],
    createOnly: ['direction', 'body'],
    references: { threadId: 'threads' },
    unique: ['externalId in threadId'],
    values: {
      'received|stored|queued|sent|delivered|failed': 'status',
      '0..254 chars': 'recipient',
      '0..1000 chars': 'error',
      'inbound|outbound|internal': 'direction',
      '\\S ..10000': 'body',
      '1..255 chars': 'externalId',
    },
  },

  campaigns: {
    operations: [
      'GET /marketing/campaigns read:campaigns 200',
      'GET /marketing/campaigns/{id} read:campaigns 200',
      'POST /marketing/campaigns write:campaigns 201',
      'PATCH /marketing/campaigns/{id} write:campaigns 200',
    ],
    readOnly: ['startedAt', 'completedAt', 'stats'],
    createOnly: ['channel'],
    status: {
      first: ['draft'],
      to: {
        draft: ['scheduled', 'sending'],
        scheduled: ['draft', 'cancelled'],
        sending: ['paused', 'cancelled'],
        paused: ['sending', 'cancelled'],
        sent: [],
        cancelled: [],
      },
    },
    initial: {
      status: 'draft',
      stats: { recipients: 0, queued: 0, sent: 0, delivered: 0, failed: 0, skipped: 0 },
    },
    filters: ['status', 'channel'],
    search: ['name'],
    values: {
      'recipients 0.., queued 0.., sent 0.., delivered 0.., failed 0.., skipped 0..': 'stats',
      '1..255 chars': 'name fromName',
      'email|sms': 'channel',
      '1..254 chars': 'fromAddress',
      'draft|scheduled|sending|paused|sent|cancelled': 'status',
    },
  },
  campaignAudiences: {
    operations: [
      'GET /marketing/campaigns/{id}/audiences read:campaigns 200',
      'GET /marketing/campaigns/{id}/audiences/{audienceId} read:campaigns 200',
      'POST /marketing/campaigns/{id}/audiences write:campaigns 201',
      'PATCH /marketing/campaigns/{id}/audiences/{audienceId} write:campaigns 200',
      'DELETE /marketing/campaigns/{id}/audiences/{audienceId} write:campaigns 200',
    ],
    readOnly: ['campaignId', 'estimatedCount'],
    references: {
      campaignId: 'campaigns',
      'filter.locationId': 'locations',
      'filter.customerIds': 'customers',
    },
    initial: { filter: { customerStatus: [], tags: [], locationId: null, customerIds: [] } },
    values: {
      '0..': 'estimatedCount',
      '1..255 chars': 'name',
      'customerStatus 0..3 of lead|active|former, tags 0..50 of 1..100 chars, locationId uuid, customerIds 0..1000 of uuid':
        'filter',
    },
  },
  campaignSteps: {
    operations: [
      'GET /marketing/campaigns/{id}/content read:campaigns 200',
      'GET /marketing/campaigns/{id}/content/{stepId} read:campaigns 200',
      'POST /marketing/campaigns/{id}/content write:campaigns 201',
      'PATCH /marketing/campaigns/{id}/content/{stepId} write:campaigns 200',
      'DELETE /marketing/campaigns/{id}/content/{stepId} write:campaigns 200',
    ],
    readOnly: ['campaignId'],
    references: { campaignId: 'campaigns', templateId: 'templates' },
    initial: { delayMinutes: 0 },
    values: {
      '1..': 'position',
      '0..527040': 'delayMinutes',
      '1..255 chars': 'subject',
      '1..10000 chars': 'body',
    },
  },
  campaignSends: {
    operations: [
      'GET /marketing/campaigns/{id}/sends read:campaigns 200',
      'GET /marketing/campaigns/{id}/sends/{sendId} read:campaigns 200',
    ],
    readOnly: [
      'campaignId',
      'contentStepId',
      'customerId',
      'contactId',
      'recipient',
      'status',
      'skipReason',
      'error',
      'attempts',
      'sentAt',
    ],
    references: {
      campaignId: 'campaigns',
      contentStepId: 'campaignSteps',
      customerId: 'customers',
      contactId: 'contacts',
    },
    initial: { attempts: 0 },
    filters: ['status', 'customerId', 'contentStepId'],
    values: {
      '1..254 chars': 'recipient',
      'queued|sent|delivered|failed|skipped': 'status',
      'opted_out|no_address|not_in_audience|step_deleted|campaign_cancelled': 'skipReason',
      '0.. chars': 'error',
      '0..': 'attempts',
    },
  },
  templates: {
    operations: [
      'GET /marketing/templates read:templates 200',
      'GET /marketing/templates/{id} read:templates 200',
      'POST /marketing/templates write:templates 201',
      'PATCH /marketing/templates/{id} write:templates 200',
      'DELETE /marketing/templates/{id} write:templates 200',
    ],
    readOnly: ['lastUsedAt'],
    filters: ['channel'],
    search: ['name', 'subject', 'body'],
    values: {
      '1..255 chars': 'name subject',
      'email|sms|social': 'channel',
      '1..10000 chars': 'body',
    },
  },

  socialAccounts: {
    operations: [
      'GET /marketing/social-accounts read:campaigns 200',
      'GET /marketing/social-accounts/{id} read:campaigns 200',
      'POST /marketing/social-accounts write:campaigns 201',
      'PATCH /marketing/social-accounts/{id} write:campaigns 200',
    ],
    createOnly: ['platform', 'externalId'],
    initial: { status: 'connected' },
    unique: ['externalId in platform'],
    filters: ['platform', 'status'],
    values: {
      '^[a-z][a-z0-9_]{0,63}$': 'platform',
      '1..255 chars': 'externalId displayName handle',
      'connected|expired|disconnected': 'status',
    },
  },
  socialPosts: {
    operations: [
      'GET /marketing/social-posts read:campaigns 200',
      'GET /marketing/social-posts/{id} read:campaigns 200',
      'POST /marketing/social-posts write:campaigns 201',
      'PATCH /marketing/social-posts/{id} write:campaigns 200',
    ],
    readOnly: ['publishedAt', 'results'],
    references: { socialAccountIds: 'socialAccounts', assetIds: 'assets', campaignId: 'campaigns' },
    status: {
      first: ['draft', 'scheduled'],
      to: {
        draft: ['scheduled', 'cancelled'],
        scheduled: ['draft', 'cancelled'],
        publishing: [],
        published: [],
        failed: ['scheduled'],
        cancelled: [],
      },
    },
    initial: { socialAccountIds: [], assetIds: [], status: 'draft', results: [] },
    filters: [
      'status',
      'socialAccountId: rule of socialAccountIds',
      'campaignId',
      'from: from scheduledAt',
      'to: to scheduledAt',
    ],
    values: {
      '0.. of socialAccountId uuid, status published|failed, externalId 0.. chars, error 0.. chars, at timestamp':
        'results',
      '1..10000 chars': 'body',
      '0..20 of uuid': 'socialAccountIds assetIds',
      'draft|scheduled|publishing|published|failed|cancelled': 'status',
    },
  },
  calendar: {
    operations: ['GET /marketing/calendar read:campaigns|read:social-events 200'],
    readOnly: ['id', 'type', 'title', 'status', 'startAt', 'endAt', 'updatedAt'],
    filters: ['from: from startAt required', 'to: to startAt required', 'type'],
    values: {
      '0.. chars': 'title status',
      'campaign|social_post|social_event': 'type',
    },
  },

  forms: {
    operations: [
      'GET /marketing/forms read:forms 200',
      'GET /marketing/forms/{id} read:forms 200',
      'POST /marketing/forms write:forms 201',
      'PATCH /marketing/forms/{id} write:forms 200',
    ],
    readOnly: ['submissionCount'],
    status: {
      first: ['draft', 'published'],
      to: {
        draft: ['published'],
        published: ['closed'],
        closed: ['published'],
      },
    },
    initial: { status: 'draft', fields: [], submissionCount: 0 },
    unique: ['slug'],
    filters: ['status', 'slug'],
    search: ['name', 'description'],
    values: {
      '0..': 'submissionCount',
      '1..255 chars': 'name',
      '^[a-z0-9]+(-[a-z0-9]+)*$ ..64': 'slug',
      '0..10000 chars': 'description',
      'draft|published|closed': 'status',
      '0..100 of key ^[a-z][a-z0-9_]{0,63}$, label 1..255 chars, type text|textarea|email|phone|number|date|select|multiselect|checkbox, required boolean, options 0..100 of 1..255 chars':
        'fields',
    },
  },
  formSubmissions: {
    operations: [
      'GET /marketing/forms/{id}/submissions read:forms 200',
      'GET /marketing/forms/{id}/submissions/{submissionId} read:forms 200',
      'POST /marketing/forms/{id}/submissions write:forms 201|200',
      'PATCH /marketing/forms/{id}/submissions/{submissionId} write:forms 200',
    ],
    readOnly: ['formId', 'submittedAt'],
    createOnly: ['data', 'externalId'],
    references: { formId: 'forms', customerId: 'customers', contactId: 'contacts' },
    initial: { status: 'new' },
    unique: ['externalId in formId'],
    filters: ['status', 'customerId', 'contactId', 'externalId'],
    values: { '1..255 chars': 'externalId', 'new|reviewed|archived': 'status' },
  },

  socialEvents: {
    operations: [
      'GET /marketing/social-events read:social-events 200',
      'GET /marketing/social-events/{id} read:social-events 200',
      'POST /marketing/social-events write:social-events 201',
      'PATCH /marketing/social-events/{id} write:social-events 200',
      'DELETE /marketing/social-events/{id} write:social-events 200',
    ],
    readOnly: ['counts'],
    references: { locationId: 'locations', coverAssetId: 'assets' },
    status: {
      first: ['draft', 'published'],
      to: {
        draft: ['published', 'cancelled'],
        published: ['completed', 'cancelled'],
        completed: [],
        cancelled: [],
      },
    },
    initial: {
      visibility: 'public',
      status: 'draft',
      counts: { invited: 0, going: 0, maybe: 0, declined: 0, guests: 0 },
    },
    filters: [
      'status',
      'visibility',
      'locationId',
      'startFrom: from startAt',
      'startTo: to startAt',
    ],
    search: ['title', 'venue', 'description'],
    values: {
      'invited 0.., going 0.., maybe 0.., declined 0.., guests 0..': 'counts',
      '1..255 chars': 'title venue',
      '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$': 'timezone',
      '0..10000 chars': 'description',
      '1..': 'capacity',
      'public|invite_only': 'visibility',
      'draft|published|completed|cancelled': 'status',
    },
  },
  rsvpOptions: {
    operations: [
      'GET /marketing/social-events/{id}/rsvp-options read:social-events 200',
      'GET /marketing/social-events/{id}/rsvp-options/{optionId} read:social-events 200',
      'POST /marketing/social-events/{id}/rsvp-options write:social-events 201',
      'PATCH /marketing/social-events/{id}/rsvp-options/{optionId} write:social-events 200',
      'DELETE /marketing/social-events/{id}/rsvp-options/{optionId} write:social-events 200',
    ],
    readOnly: ['socialEventId'],
    createOnly: ['kind'],
    references: { socialEventId: 'socialEvents' },
    values: { '1..255 chars': 'label', 'going|maybe|declined': 'kind', '1..': 'capacity position' },
  },
  invites: {
    operations: [
      'GET /marketing/social-events/{id}/invites read:social-events 200',
      'GET /marketing/social-events/{id}/invites/{inviteId} read:social-events 200',
      'POST /marketing/social-events/{id}/invites write:social-events 201',
      'PATCH /marketing/social-events/{id}/invites/{inviteId} write:social-events 200',
      'DELETE /marketing/social-events/{id}/invites/{inviteId} write:social-events 200',
    ],
    readOnly: ['socialEventId'],
    createOnly: ['customerId', 'contactId', 'email', 'phone'],
    references: { socialEventId: 'socialEvents', customerId: 'customers', contactId: 'contacts' },
    status: {
      first: ['pending', 'sent'],
      to: {
        pending: ['sent', 'cancelled'],
        sent: ['cancelled'],
        responded: ['cancelled'],
        cancelled: [],
      },
    },
    initial: { status: 'pending' },
    unique: [
      'customerId in socialEventId unless cancelled',
      'contactId in socialEventId unless cancelled',
      'email in socialEventId in any case unless cancelled',
      'phone in socialEventId unless cancelled',
    ],
    filters: ['status', 'customerId', 'contactId'],
    values: {
      'email ..254': 'email',
      '1..32 chars': 'phone',
      'pending|sent|responded|cancelled': 'status',
    },
  },
  rsvps: {
    operations: [
      'GET /marketing/social-events/{id}/rsvps read:social-events 200',
      'GET /marketing/social-events/{id}/rsvps/{rsvpId} read:social-events 200',
      'POST /marketing/social-events/{id}/rsvps write:social-events 201',
      'PATCH /marketing/social-events/{id}/rsvps/{rsvpId} write:social-events 200',
    ],
    readOnly: ['socialEventId'],
    createOnly: ['inviteId', 'customerId', 'contactId', 'guestName', 'email'],
    references: {
      socialEventId: 'socialEvents',
      rsvpOptionId: 'rsvpOptions',
      inviteId: 'invites',
      customerId: 'customers',
      contactId: 'contacts',
    },
    initial: { partySize: 1 },
    unique: [
      'inviteId',
      'customerId in socialEventId',
      'contactId in socialEventId',
      'email in socialEventId in any case',
    ],
    filters: ['rsvpOptionId', 'inviteId', 'customerId', 'contactId'],
    search: ['guestName', 'email'],
    values: {
      '1..255 chars': 'guestName',
      'email ..254': 'email',
      '1..20': 'partySize',
      '0..10000 chars': 'notes',
    },
  },

  assets: {
    operations: [
      'GET /marketing/assets read:marketing-assets 200',
      'GET /marketing/assets/{id} read:marketing-assets 200',
      'GET /marketing/assets/{id}/content read:marketing-assets 200',
      'POST /marketing/assets write:marketing-assets 201',
      'PATCH /marketing/assets/{id} write:marketing-assets 200',
      'DELETE /marketing/assets/{id} write:marketing-assets 200',
    ],
    readOnly: ['sizeBytes', 'sha256', 'url'],
    createOnly: ['contentType', 'sourceUrl', 'base64'],
    references: { folderId: 'assetFolders' },
    initial: { tags: [] },
    filters: ['folderId', 'contentType'],
    search: ['filename', 'altText'],
    values: {
      '0..': 'sizeBytes',
      '^[0-9a-f]{64}$': 'sha256',
      '0.. chars': 'url',
      '1..255 chars': 'filename',
      'image/jpeg|image/png|image/webp|image/heic|image/heif|image/avif|image/gif|application/pdf|video/mp4':
        'contentType',
      'uri ..2048': 'sourceUrl',
      '0..1000 chars': 'altText',
      '0..50 of 1..100 chars': 'tags',
    },
  },
  assetFolders: {
    operations: [
      'GET /marketing/asset-folders read:marketing-assets 200',
      'GET /marketing/asset-folders/{id} read:marketing-assets 200',
      'POST /marketing/asset-folders write:marketing-assets 201',
      'PATCH /marketing/asset-folders/{id} write:marketing-assets 200',
      'DELETE /marketing/asset-folders/{id} write:marketing-assets 200',
    ],
    references: { parentId: 'assetFolders' },
    unique: ['name in parentId'],
    filters: ['parentId'],
    search: ['name'],
    values: { '1..255 chars': 'name' },
  },
};
