/**
 * Of undici what a request needs. Loading it costs start-up time, which a command that sends nothing should not pay; the whole of it
 * costs twice its parts.
 */
export { default as request } from 'undici/lib/api/api-request.js';
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
