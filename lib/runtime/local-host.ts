/** A name or address and perhaps a port, as `Host` has them (RFC 9110 section 7.2); the name is the first group. */
const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/

/** Names as people and browsers write them; those below `localhost` are loopback names too (RFC 6761 section 6.3). */
const LOOPBACK = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** @param name as in {@link URL.hostname} */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK.test(name)
}

/**
 * Whether a request of a local run is meant for it: a web page that points its own name at 127.0.0.1 still names itself in
 * `Host`.
 * @param host the value of `Host`
 * @param baseUrl where callers reach the service
 */
export function isLocalHost(host: string | undefined, baseUrl: URL): boolean {
  const name = HOST.exec(host ?? '')?.[1]?.toLowerCase()
  return name !== undefined && (isLoopbackName(name) || name === baseUrl.hostname)
}
