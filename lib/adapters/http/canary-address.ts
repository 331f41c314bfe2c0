import type { CanaryAddress } from '../../webhooks/canary/canary.ts'
import { guardedPost } from './post.ts'

/** For the name, the connection and the answer together, in milliseconds: the function has five seconds more. */
const TIMEOUT_MS = 10_000

/** Each call makes a new connection, so that it also checks the name and the certificate. */
export function canaryAddress(url: URL, isLocal: boolean): CanaryAddress {
  return {
    async post(headers, body) {
      const post = guardedPost(url, { isPrivate: true, isLocal })
      const { status } = await post({ headers: { ...headers, connection: 'close' }, body, timeout: TIMEOUT_MS })
      return status
    },
  }
}
