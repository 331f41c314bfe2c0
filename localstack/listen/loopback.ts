const NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is of this machine by its name: those below `localhost` are loopback names too (RFC 6761, 6.3). */
export function isLoopback({ hostname }: URL): boolean {
  return NAMES.includes(hostname) || hostname.endsWith('.localhost')
}
