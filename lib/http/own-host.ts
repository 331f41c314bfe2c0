import { type HttpEvent, type Reply, redirect } from './message.ts'
import type { EndpointContext } from './middleware/call.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Cookies belong to one host name: a local page under another loopback name redirects to that of the base URL. */
export async function onOwnHost(
  event: HttpEvent,
  { baseUrl }: EndpointContext,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const host = event.headers['host'] ?? baseUrl.host
  const [name = ''] = /^(\[[^\]]*\]|[^:]*)/.exec(host) ?? []
  const isElsewhere = name !== baseUrl.hostname && LOOPBACK.includes(name) && LOOPBACK.includes(baseUrl.hostname)
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`
  return isElsewhere ? redirect(`${baseUrl.origin}${event.rawPath}${query}`) : answer()
}
