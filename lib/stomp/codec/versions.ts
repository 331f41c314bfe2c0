/** Best first. */
export const VERSIONS = ['1.2', '1.1', '1.0'] as const

export type Version = (typeof VERSIONS)[number]

/** The version of clients that name none, as in STOMP 1.0. */
const UNSAID = '1.0'

/** The best version that both sides support (STOMP 1.2, "Protocol Negotiation"); undefined when there is none. */
export function negotiateVersion(accepted: string = UNSAID): Version | undefined {
  const offered = accepted.split(',').map((version) => version.trim())
  return VERSIONS.find((version) => offered.includes(version))
}
