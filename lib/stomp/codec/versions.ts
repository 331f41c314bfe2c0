/** Best first. */
export const VERSIONS = ['1.2', '1.1'] as const

export type Version = (typeof VERSIONS)[number]

/**
 * The best version that both sides support (STOMP 1.2, "Protocol Negotiation"); undefined when there is none, as for a
 * client that names none: that is one of 1.0.
 */
export function negotiateVersion(accepted = ''): Version | undefined {
  const offered = accepted.split(',').map((version) => version.trim())
  return VERSIONS.find((version) => offered.includes(version))
}
