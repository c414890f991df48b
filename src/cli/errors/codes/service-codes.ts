/** Every code that the service answers with, explained for the person who reads it in a terminal. */
import type { ProblemCode } from '../../../contract/problems.ts';
import { type Explanation, explained } from './explanation.ts';

export const serviceCodes: Readonly<Record<ProblemCode, Explanation>> = {
  missing_api_key: explained(
    'The request came without a key, and nothing but the interface description is given to strangers.',
    'Sign in with `cs auth login`, or set CS_API_KEY.',
  ),
  invalid_api_key: explained(
    'The server does not know the key. Most often it belongs to another server, or was copied without its end.',
    'See which server and key are used with `cs auth status`, then sign in again with `cs auth login`.',
  ),
  api_key_expired: explained(
    'The key was good until a day that has passed. Nothing else about it is wrong.',
    'Ask whoever runs the service for a new one (`cs admin key create`) and sign in with it: `cs auth login`.',
  ),
  api_key_revoked: explained(
    'Somebody has taken the key back on purpose. It will not work again.',
    'Ask whoever runs the service for another, and sign in with it: `cs auth login`.',
  ),
  missing_scope: explained(
    'The key is good, but was made without the right that this needs. A right to write is none to read. The message names the scope.',
    '`cs auth status` shows what the key may do. Scopes never grow: a key that may do more is a new one.',
  ),
  api_disabled: explained(
    "The team's switch for programs is off, so all its keys are refused, whatever they may do. The keys stay good.",
    'Whoever runs the service turns it on again with `cs admin integration on --team TEAM`.',
  ),
  not_found: explained(
    'No such record in this team. One of another team looks just the same, on purpose. It may be the record in the path, or one that a field names.',
    'Look at what there is with the `list` of its kind, and check the id or the name.',
  ),
  route_not_found: explained(
    'The server has nothing at this path: a slip in `cs api`, or a server of another version.',
    'See the paths with `cs schema`, and what differs on this server with `cs doctor`.',
  ),
  validation_failed: explained(
    'One or more values are not what they must be. All of them are named at once, each with what would be right. Nothing was stored.',
    'Correct them and run the command again. `cs schema RESOURCE` shows what each field takes.',
  ),
  invalid_json: explained(
    'What was given as JSON is not JSON: a comma too many, quotes that the shell took away, half a file.',
    "Put single quotes around it in a shell: --input '{…}'. Or give it from a file: --input @body.json.",
  ),
  conflicting_fields: explained(
    'Two values exclude each other, such as a spot and a zone: a car stands on one or in the other.',
    'Leave out one of those that the message names.',
  ),
  car_required: explained('Events of this type are done on a car, and none was named.', 'Name the car: --car PLATE.'),
  customer_required: explained('Events of this type are about a customer, and none was named.', 'Name the customer: --customer NAME.'),
  event_type_scope_mismatch: explained(
    'The event type is for customers or for the facility, and cannot be logged on a car.',
    'See the types for cars: `cs event-types list --scope vehicle`.',
  ),
  event_type_inactive: explained(
    'The event type was put out of use. What was logged with it stays; nothing new is.',
    'See those in use: `cs event-types list --is-active`.',
  ),
  option_mismatch: explained(
    'The option belongs to another event type than the one of the appointment.',
    'See the options of a type: `cs event-types get TYPE --json options`.',
  ),
  recurrence_too_long: explained(
    'The series would have more than 366 appointments.',
    'End it sooner, with an end date or a count, or make the interval longer.',
  ),
  invalid_transition: explained(
    'The record cannot go from the state that it is in to the one that was asked for, such as from completed to scheduled. The details name those that it can.',
    'See the steps that there are: `cs schema RESOURCE`.',
  ),
  parking_required: explained(
    'Events of this type leave the car somewhere, and exactly one spot or zone says where.',
    'Give one of --spot and --zone, in `cs parking assignments create` one of --parking-spot and --parking-zone. Free spots: `cs parking spots list --available`.',
  ),
  parking_not_allowed: explained(
    "Events of this type free the car's parking, so there is no place to name.",
    'Leave --spot and --zone out.',
  ),
  parking_spot_occupied: explained(
    'Another car stands there. Nobody is ever moved aside without being asked.',
    'Choose a free one: `cs parking spots list --available`. To see who stands where: `cs board`.',
  ),
  parking_zone_full: explained(
    'The zone holds as many cars as it has places for.',
    'See zones with places left: `cs parking zones list`; free spots: `cs parking spots list --available`.',
  ),
  parking_inactive: explained(
    'The spot, its zone or its location is out of use.',
    'Choose another: `cs parking spots list --available`. Or take it into use again: `cs parking spots update SPOT --is-active`.',
  ),
  not_parked: explained(
    'The car stands nowhere that the service knows of, so there is nothing to free.',
    'See where it was: `cs cars events list CAR`.',
  ),
  occurred_at_in_future: explained(
    'Events are what has happened. A few minutes ahead are let pass, since clocks differ.',
    'Give a time that has passed, or leave it out for now. For what is to come there is `cs appointments create`. A wrong clock: `cs doctor`.',
  ),
  occurred_at_conflict: explained(
    'The time lies before a later change of the same parking, and history is not rewritten.',
    'Give a later time, or leave it out. See what was logged: `cs cars events list CAR`.',
  ),
  car_archived: explained(
    'The car was put away, so nothing can be done with it.',
    'Bring it back first: `cs cars update CAR --status checked_out`.',
  ),
  car_parked: explained('The car still stands somewhere, and a car that is there is not put away.', 'Hand it out first: `cs pickup CAR`.'),
  location_inactive: explained(
    'The location is out of use.',
    'Choose another, or take it into use again: `cs locations update LOCATION --is-active`.',
  ),
  photo_too_large: explained(
    'The file has more bytes than the service takes: 3 MiB for a photo of a car, 10 MiB for an asset.',
    '`cs cars photos add` shrinks photos by itself unless --no-resize is given.',
  ),
  photo_type_unsupported: explained(
    'The bytes are of no type that is kept, whatever the name of the file says.',
    'Save it as JPEG, PNG, WebP, HEIC, AVIF or GIF.',
  ),
  photo_type_mismatch: explained(
    'The type that was stated is not what the bytes are.',
    'Leave contentType out: the service looks for itself.',
  ),
  session_mismatch: explained(
    'The session, or the appointment, is of another car or of another event type.',
    "See the car's sessions: `cs sessions list --car CAR`.",
  ),
  session_closed: explained(
    'The session was cancelled with its appointment, so no photos can be added.',
    'Log an event, which opens another: `cs cars events log CAR`.',
  ),
  source_url_blocked: explained(
    'The service never fetches such an address: it is not https, or names a port, a user or an address of a private network.',
    'Fetch the file yourself, and send it as a file.',
  ),
  source_url_failed: explained(
    'The service could not fetch the file: the name has no public address, or the server did not answer with the file in time.',
    'Check the address, or fetch the file yourself and send it as a file.',
  ),
  form_closed: explained(
    'The form is a draft or closed, so it takes no answers.',
    'Publish it: `cs forms update FORM --status published`.',
  ),
  recipient_missing: explained(
    'The thread names nobody, or somebody without an e-mail address or phone number for its channel.',
    'Give the person an address, or name another one: `cs threads update THREAD --customer NAME`.',
  ),
  event_full: explained(
    'There is no room for so many people, at the social event or in that option.',
    'See what is left: `cs social-events options list EVENT`. Fewer people: --party-size.',
  ),
  rsvp_closed: explained(
    'Replies are not taken: the social event is not published, or the deadline has passed.',
    'Look at its status and deadline: `cs social-events get EVENT`.',
  ),
  duplicate: explained(
    'Another record has the same value where each must have its own. The details name the field and the record.',
    'Choose another value, or use the record that is there.',
  ),
  resource_in_use: explained(
    'Other records still name this one, so it cannot go. The details count them.',
    'Change or delete those first, or put this one out of use instead (--no-is-active, where it has that).',
  ),
  campaign_locked: explained(
    'The campaign is going out, was sent or was cancelled. What people have been sent does not change afterwards.',
    'Pause it first (`cs campaigns pause CAMPAIGN`), or make another.',
  ),
  idempotency_key_reused: explained(
    'The same Idempotency-Key came before with another request. It is good for repeats of one request only.',
    'Use another --idempotency-key, or leave it out: each command makes its own.',
  ),
  bad_request: explained(
    'What arrived was not HTTP as it should be: something between the two has damaged it.',
    'Look for a proxy in between (HTTPS_PROXY), and try without.',
  ),
  method_not_allowed: explained(
    'The path is there, but not for this method, such as a DELETE of something that cannot be deleted.',
    'See what each kind of record can do: `cs schema RESOURCE`.',
  ),
  payload_too_large: explained('The body is larger than the service reads.', 'Send less in one request; photos one at a time.'),
  unsupported_media_type: explained(
    'The body was not sent as JSON.',
    '`cs` sends nothing else: look for a proxy in between that changes requests.',
  ),
  rate_limited: explained(
    'The key has asked for more in a minute than it may. The command has waited as often as it was told to, and gave up.',
    'Wait a minute. For long jobs give more tries: --retries 10.',
  ),
  internal_error: explained(
    'A fault of the service. It is no fault of the command, and was written to the log under the request id.',
    'Try again; if it stays, give the request id to whoever runs the service.',
  ),
  unavailable: explained(
    'The service is starting or stopping, or its database does not answer.',
    'Try again in a moment. If it stays, whoever runs the service can ask `/readyz` why.',
  ),
};
