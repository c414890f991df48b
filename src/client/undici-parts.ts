/**
 * Of undici what a request needs. Loading it costs start-up time, which a command that sends nothing should not pay; the whole of it
 * costs twice its parts.
 */
import apiRequest from 'undici/lib/api/api-request.js';
import DispatcherAgent from 'undici/lib/dispatcher/agent.js';

// Constants of its own, so that the build can have them loaded from where they are.
export const request = apiRequest;
export const Agent = DispatcherAgent;
