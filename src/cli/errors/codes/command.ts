/** Codes of the command line, the connection, the counter and the data of the service. */
import type { CodeInfo } from './code.ts';

export const commandLineCodes = {
  usage: {
    exit: 2,
    means: 'The command line is invalid or lacks a required value.',
    next: 'The hint shows what to write; `--help` after a command lists its arguments and flags.',
  },
  declined: {
    exit: 13,
    means: 'You answered no, so nothing was changed.',
    next: 'Run it again and answer yes, or give --yes.',
  },
  interrupted: {
    exit: [130, 143],
    means: 'Ctrl-C or a signal stopped the command. Finished changes stay.',
    next: 'Run it again. A drop-off, pick-up or move that was begun is finished, not repeated.',
  },
  ambiguous_name: {
    exit: 14,
    means: 'Several records match this name. In a script cs never chooses one.',
    next: 'Give the id instead; the error lists the matches.',
  },
  partial: {
    exit: [11, 12],
    means: 'Some items failed; the others are done. The result lists each one.',
    next: 'Fix the failed items and run it again for them.',
  },
  not_tried: {
    exit: 11,
    means: 'This item was skipped, because the error of an earlier item affects it as well.',
    next: 'Fix that error and run it again.',
  },
  unexpected: {
    exit: 1,
    means: 'An unexpected error, most likely a bug in cs.',
    next: 'Run it again with -v, and report what it prints: `npm bugs car-storage` shows where.',
  },
} as const satisfies Record<string, CodeInfo>;

/** The journal of commands that write in several steps. */
export const journalCodes = {
  changed_since: {
    exit: 7,
    means:
      'What the command is about has changed meanwhile: a car that it parked was moved or picked up, or the sample facility was. Nothing was stored again.',
    next: 'Look at the present state, and run the command that fits it.',
  },
  unfinished: {
    exit: 7,
    means:
      'The same command was cut off more than a day ago, or other work on the car was stored since, so it may not mean the same any more. Or other work on the same car is unfinished, and would be stored out of order or twice. Nothing was sent.',
    next: 'Look at it with `cs pending show`. Then finish it with `cs pending resume` or forget it with `cs pending discard`.',
  },
  state_unusable: {
    exit: 7,
    means:
      "The file in which cs keeps what it remembers on this machine can't be read or written. It may be damaged, the disk full, or the file another user's.",
    next: 'Make room on the disk, set CS_STATE_DIR to a writable folder, or set the file aside; the hint has the command.',
  },
  already_running: {
    exit: 7,
    means:
      'Another process runs the same command, or finishes it or other work on the same car; for an import, another one of the same resource; for a watch, another one with the same --state.',
    next: 'Wait for it. `cs pending list` shows what is left afterwards; an import or a watch can be run again.',
  },
  created_twice: {
    exit: 7,
    means:
      'Two imports with --upsert-by created a record with the same value at the same time, on two machines or with two keys.',
    next: 'Compare the two records that the message names, and delete one of them.',
  },
  other_car: {
    exit: 7,
    means: 'Work was queued without the server for a car whose name belongs to another car by now.',
    next: 'Find out which car was meant. Then store it for the present car with `cs pending resume ID --anyway`, or forget it with `cs pending discard ID`.',
  },
  outcome_unknown: {
    exit: 7,
    means:
      'A command was cut off while it sent a request, and the server has no way to tell whether that was stored, or may still be at it: nobody waited for its answer.',
    next: 'Wait until the time that the message names, or check it there. Then send it again with `cs pending resume ID --resend`, or forget it with `cs pending discard ID`.',
  },
} as const satisfies Record<string, CodeInfo>;

/** Keys, profiles and the way to the server. */
export const connectionCodes = {
  not_signed_in: {
    exit: 4,
    means: 'There is no API key for this server.',
    next: 'Sign in with `cs auth login`. In a script set CS_BASE_URL and CS_API_KEY. `cs help keys` lists all ways.',
  },
  invalid_key: {
    exit: 4,
    means:
      'The key contains a space, a line break or another invalid character. It was copied incompletely or with extra text.',
    next: 'Sign in again with `cs auth login`.',
  },
  config_unusable: {
    exit: [2, 1],
    means:
      "The configuration file can't be read or saved, isn't valid JSON, or has a value of the wrong type.",
    next: 'Fix the file or move it away; the hint has the command. Or set CS_CONFIG_DIR to another folder. `cs doctor` still works.',
  },
  address_unusable: {
    exit: [2, 1],
    means: "cs can't listen at this address, or a phone can't reach it.",
    next: 'Choose another address or port; the hint names the flag.',
  },
  read_only_profile: {
    exit: 5,
    means: 'The profile is marked read-only, so cs sends no writes with it.',
    next: 'Use another profile, or allow writes: `cs profiles set NAME --no-read-only`.',
  },
  invalid_base_url: {
    exit: 2,
    means: "The server address isn't a valid URL.",
    next: 'Write it like https://cars.example.com.',
    hint: 'give it with --base-url, or sign in again with `cs auth login`',
  },
  invalid_path: {
    exit: 2,
    means: 'The path is outside of the interface.',
    next: '`cs schema` shows the paths, such as /cars.',
    hint: '`cs schema` shows the paths',
  },
  invalid_ca: {
    exit: 2,
    means: 'The file of --ca-file contains no readable certificates.',
    next: 'Give a PEM file, with its BEGIN CERTIFICATE lines.',
  },
  invalid_proxy: {
    exit: 2,
    means: "The address in HTTP_PROXY or HTTPS_PROXY isn't a valid URL.",
    next: 'Correct or unset HTTP_PROXY and HTTPS_PROXY. Example: http://proxy.example.com:8080.',
  },
  closed: {
    exit: 2,
    means: 'A program used a client after closing it. No command does this.',
    next: 'Make a new client.',
  },
  unsafe_address: {
    exit: 9,
    means:
      "The server is on another machine and its address isn't https, so anyone on the network could read the key. Nothing was sent.",
    next: 'Use an https address, or allow this one with --allow-insecure-http.',
  },
  connection_failed: {
    exit: 9,
    means: "cs couldn't connect to the server. Nothing was sent.",
    next: 'Check the address with --base-url, the network, and the proxy in HTTPS_PROXY. On this machine start the service with `cs serve`.',
    hint: 'check the address with --base-url, and the network',
  },
  connection_lost: {
    exit: 9,
    means:
      'The connection broke before the answer was complete. A write may have been carried out.',
    next: 'Check the network and try again. After a write, check the result with `get` or `list` first.',
  },
  timeout: {
    exit: 9,
    means: 'No complete answer arrived in time. A write may have been carried out.',
    next: 'Check the network, or allow more time with --timeout. After a write, check the result first.',
  },
  tls_failed: {
    exit: 9,
    means:
      "The server couldn't prove its identity, or only one side uses TLS on this port. No request was carried out.",
    next: 'Trust its certificate with --ca-file, or check --base-url.',
    hint: 'check the address with --base-url; `cs doctor` checks the connection step by step',
  },
  answer_too_large: {
    exit: 9,
    means: 'The answer is larger than any answer of this service, so cs stopped reading it.',
    next: 'Check the address: `cs doctor` shows what answers there.',
  },
  unexpected_answer: {
    exit: [9, 10],
    means:
      "The answer doesn't follow this interface: an HTML page, a redirect or JSON of another shape.",
    next: 'Check the address: `cs doctor`. A sign-in page of the network looks like this, too.',
  },
  operation_missing: {
    exit: 9,
    means:
      "The server doesn't have the operation that the command needs: it answered a page, that a list doesn't exist, or with 405 or 501. The error names the operation.",
    next: '`cs doctor` shows what this server lacks, and docs/other-servers.md what works without it.',
  },
  filter_ignored: {
    exit: 9,
    means:
      "The records of this server don't show what a filter, a search or a name compares, or in a form that tells nothing. cs doesn't guess which records were meant. Nothing was sent.",
    next: 'Leave out the filter, or name the records by their ids. `cs doctor` shows what this server lacks.',
  },
  unsteady_list: {
    exit: 9,
    means:
      'The list changed too fast to read, or its pages contradict each other. cs never shows part of a list as the whole.',
    next: 'Try again when the list changes less, or narrow it with a filter. Where the message names the specification, the server breaks it: tell whoever runs it.',
  },
} as const satisfies Record<string, CodeInfo>;

/** Drop-off, pick-up and move. */
export const counterCodes = {
  car_not_here: {
    exit: 7,
    means:
      "The car isn't parked here, so it can't be picked up or moved. The service itself would store such an event.",
    next: 'See its history: `cs cars events list CAR`.',
  },
} as const satisfies Record<string, CodeInfo>;

/** Serve, admin and demo. */
export const dataCodes = {
  data_unusable: {
    exit: [1, 2, 3, 7],
    means:
      "The service's data can't be used: unreadable, damaged, from another version, incompletely restored, or its database is unreachable or unsafe. Nothing was changed.",
    next: 'The message says what is wrong, and the hint the next step.',
  },
} as const satisfies Record<string, CodeInfo>;
