/** Codes about keys, the configuration and the way to the server. */
import { ends } from './command-code.ts';

export const connectionCodes = {
  not_signed_in: ends(
    4,
    'There is no key for this server.',
    'Sign in: `cs auth login`. In a script set CS_BASE_URL and CS_API_KEY. `cs help keys` tells all the ways.',
  ),
  invalid_key: ends(
    4,
    'The key holds a space, a line break or a sign that no key has: it was not copied as it is.',
    'Copy it again and sign in: `cs auth login`.',
  ),
  key_as_argument: ends(
    2,
    'The command line holds an API key. Other users of the machine can see it there, and the shell may keep it, so it was not used.',
    'Revoke the key and make a new one. Give it at the prompt of `cs auth login`, on stdin, in a file or by a helper: `cs help keys`.',
  ),
  key_file_unreadable: ends(
    4,
    'The file that holds the key is not there, may not be read, or is empty.',
    'Check the path in CS_KEY_FILE or --key-file, and its permissions.',
  ),
  key_command_failed: ends(
    4,
    'The command that is to give the key failed, took too long or wrote nothing.',
    'Run it by hand. `cs config list --origin` shows which one it is.',
  ),
  unknown_profile: ends(2, 'No profile has this name.', '`cs profiles list` shows them; `cs auth login --profile NAME` makes one.'),
  read_only_profile: ends(
    5,
    'The profile was marked read-only, so nothing that writes is sent with it.',
    'Use another profile, or allow it: `cs profiles set NAME --no-read-only`.',
  ),
  config_invalid: ends(
    2,
    'The configuration file is not what it should be: not JSON, or with a value of the wrong kind.',
    'Mend it or put it aside; the hint has the command. `cs doctor` works all the same.',
  ),
  config_unreadable: ends(
    2,
    'The configuration file is there and cannot be read.',
    'Make it yours again, or set CS_CONFIG_DIR to another folder.',
  ),
  config_not_written: ends(
    [1, 2],
    'The configuration could not be saved, so nothing about it has changed.',
    'Set CS_CONFIG_DIR to a folder that you can write to.',
  ),
  invalid_base_url: ends(2, 'The address of the server is none.', 'Write it like https://cars.example.com.'),
  invalid_path: ends(2, 'The path leads out of the interface.', 'Write it like /cars; `cs schema` shows the paths.'),
  invalid_ca: ends(
    2,
    'The file of --ca-file holds no certificates that can be read.',
    'Give a PEM file, with its BEGIN CERTIFICATE lines.',
  ),
  invalid_proxy: ends(2, 'The address in HTTP_PROXY or HTTPS_PROXY is none.', 'Write it like http://proxy.example.com:8080, or unset it.'),
  closed: ends(
    2,
    'A request was made with a client that had been closed. Only programs can meet this, never a command.',
    'Make a new client.',
  ),
  unsafe_address: ends(
    9,
    'The server is another machine and is not asked over https, so everybody on the way could read the key. Nothing was sent.',
    'Use https, or allow it by name: --allow-insecure-http.',
  ),
  connection_failed: ends(
    9,
    'There is no connection to the server, so nothing was sent.',
    'Check the address (`cs auth status`) and the network; on this machine start the service with `cs serve`.',
  ),
  connection_lost: ends(
    9,
    'The connection broke before the answer was complete. A write may have been carried out.',
    'Look first, with the `get` or `list` of its kind, and then run it again.',
  ),
  timeout: ends(
    9,
    'No complete answer came in time. A write may have been carried out.',
    'Look first, then try again; give it longer with --timeout.',
  ),
  tls_failed: ends(
    9,
    'The server could not prove who it is, so nothing was sent.',
    'Check the address. For a certificate of your own: --ca-file.',
  ),
  answer_too_large: ends(
    9,
    'The answer of the server has more bytes than any answer of this service, so the rest was not read. It may have no end.',
    'Check the address: `cs doctor` tells what answers there.',
  ),
  unexpected_answer: ends(
    [9, 10],
    'What came back is not of this interface: a page of HTML, a redirect, or JSON of another shape.',
    'Check the address: `cs doctor`. A sign-in page of the network looks like this as well.',
  ),
  unsteady_list: ends(
    9,
    'The list changed faster than it could be read, or its pages contradict each other. Half a list is never shown as a whole one.',
    'Try again when there is less going on, or narrow it with a filter.',
  ),
};
