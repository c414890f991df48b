/**
 * Of undici what a request needs. Loading it costs start-up time, which a command that sends nothing should not pay; the whole of it
 * costs twice its parts.
 */
import apiRequest from 'undici/lib/api/api-request.js';
import DispatcherAgent from 'undici/lib/dispatcher/agent.js';

export { apiRequest as request, DispatcherAgent as Agent };
