const USAGE = 'Add header: Authorization: Bearer <ACCESS_TOKEN>'

/** Spec 2.1: what a login says of its token, in a profile that takes it over HTTP as well, and in one that does not. */
export const TOKEN_USAGES = {
  http: USAGE,
  channels: `${USAGE} (this profile: gRPC and WebSocket only)`,
} as const

/** The texts of a login's answer. */
export function tokenTexts(isForHttp: boolean) {
  return {
    message: 'Login successful - use this JWT token for authenticated requests',
    usage: isForHttp ? TOKEN_USAGES.http : TOKEN_USAGES.channels,
  }
}
