import { sessionLimits } from '../../../lib/stomp/limits.ts'

/** Those of a service whose settings say nothing else. */
export const SESSION_LIMITS = sessionLimits({
  heartBeat: 10_000,
  bodyBytes: 65_536,
  framesPerSecond: 100,
  frameBurst: 1000,
})
