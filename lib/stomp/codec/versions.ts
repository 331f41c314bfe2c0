/** Best first. */
export const VERSIONS = ['1.2', '1.1', '1.0'] as const

export type Version = (typeof VERSIONS)[number]

/** What clients sent before they could say which versions they accept. */
const UNSAID = '1.0'

/** The best version that both sides speak (STOMP 1.2, "Protocol Negotiation"); undefined when there is none. */
export function negotiateVersion(accepted: string = UNSAID): Version | undefined {
  const offered = accepted.split(',').map((version) => version.trim())
  return VERSIONS.find((version) => offered.includes(version))
}
