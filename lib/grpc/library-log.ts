import { setLogger } from '@grpc/grpc-js'
import type { Log } from '../runtime/log.ts'

/**
 * Has the library write to our log in place of standard error, and no more than what a message begins with: behind the
 * first colon it quotes what callers sent, whole tokens included.
 */
export function logLibrary(log: Log): void {
  const complain = (message: string) => log.warn('the gRPC library complains', { of: message.replace(/:.*/s, '') })
  setLogger({ error: complain, info: complain, debug: complain })
}
