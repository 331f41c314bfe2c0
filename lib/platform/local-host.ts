/** 127.0.0.0/8 and ::1, as the URL standard writes them. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Whether a request of a local run is meant for it: a web page that points its own name at 127.0.0.1 still names itself in
 * `Host`.
 * @param host the value of `Host`
 * @param baseUrl where callers reach the service
 */
export function isLocalHost(host: string | undefined, baseUrl: URL): boolean {
  const name = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname
  return name !== undefined && (isLoopback(name) || name === baseUrl.hostname)
}

/** The names below `localhost` are loopback names too (RFC 6761 section 6.3). */
function isLoopback(name: string): boolean {
  return LOOPBACK.test(name) || name === 'localhost' || name.endsWith('.localhost')
}
