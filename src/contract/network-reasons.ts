/** Codes of the system, and of undici, for a connection that failed, in a few words that follow a colon. */
export const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no DNS server answers',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  UND_ERR_SOCKET: 'closed by the other side',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};
