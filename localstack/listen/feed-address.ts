import { UsageError } from '../command.ts'
import { isLoopback } from './loopback.ts'

/**
 * Parses the address of an event stream: a URL, or a host and port as `npm start` prints them, which mean TLS unless the
 * host is this machine.
 * @throws UsageError
 */
export function feedAddress(text: string): URL {
  const url = text.includes('://') ? parsed(text) : guessed(text)
  if (url === undefined || url.pathname !== '/' || url.search !== '' || url.username !== '')
    throw new UsageError('--grpc must be a host and port, or an https address without a path')
  if (url.protocol === 'http:' && !isLoopback(url))
    throw new UsageError('--grpc must be https: credentials are not sent in the clear')
  return url
}

function guessed(text: string): URL | undefined {
  const plain = parsed(`http://${text}`)
  return plain && isLoopback(plain) ? plain : parsed(`https://${text}`)
}

function parsed(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined
}
