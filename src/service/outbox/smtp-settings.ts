import { email } from '../../contract/fields.ts';

/** The mail server, as given by `--smtp-url`: `smtp://user:password@host:587` or `smtps://…:465`. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the start; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean;
  /** Fails unless STARTTLS succeeds. */
  readonly requireTLS: boolean;
  /** Off for this machine, whose mail servers usually have a self-signed certificate. */
  readonly verified: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Throws an error without the password. Never sends a password unencrypted to another machine. */
export function readSmtpUrl(text: string): SmtpSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname) {
    throw new Error(
      'It must look like smtp://user:password@host:587 or smtps://user:password@host:465',
    );
  }
  if (url.search || url.hash || !['', '/'].includes(url.pathname))
    throw new Error('It must end after the host and the port');
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const here = loopback.test(host);
  const auth = readAuth(url);
  return {
    host,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    requireTLS: auth !== undefined && !secure && !here,
    verified: !here,
    ...(auth ? { auth } : {}),
  };
}

function readAuth({ username, password }: URL): SmtpSettings['auth'] {
  if (!username && !password) return undefined;
  if (!username || !password)
    throw new Error('It must give both a user and a password, or neither');
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    throw new Error('A % in the user or the password must be written %25');
  }
}

/** `address`, `Name <address>` or `"Name" <address>`; undefined for an invalid address. */
export function readMailbox(text: string): Mailbox | undefined {
  const named = /^(?<name>.*)<(?<address>[^<>]*)>\s*$/s.exec(text)?.groups;
  const address = email.safeParse((named?.address ?? text).trim());
  return address.success
    ? { name: unquoted(oneLine(named?.name ?? '')), address: address.data }
    : undefined;
}

const unquoted = (name: string): string =>
  /^"(.*)"$/.exec(name)?.[1]?.replace(/\\(.)/g, '$1') ?? name;

/** A single line, so that a header value can't start another header. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
