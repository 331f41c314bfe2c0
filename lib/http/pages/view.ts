import type { ProviderId } from '../../auth/oauth2/providers.ts'
import type { Principal } from '../../auth/principal.ts'

/** What a page knows of its viewer. */
export interface View {
  /** Undefined for somebody who is not logged in. */
  readonly principal: Principal | undefined
  /** For the forms of the page. */
  readonly csrfToken: string
  readonly csrfCookie: string
  /** The identity providers that a login is offered with. */
  readonly providers: readonly ProviderId[]
  readonly now: Date
  /** Path and query of the page, where a login can lead back to it; else `/`. */
  readonly address: string
}
