import type { PermissionTable } from '../../auth/access.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Profile } from '../../auth/profile.ts'
import type { ConsoleFacts, DemoTokens, DemoUser, PasskeyOffer } from '../../contract/console.ts'

/** The names under which the files of the console are served, by the names that pages know them by. */
export interface Manifest {
  readonly style: string
  readonly icon: string
  /** The sprite of symbols. */
  readonly icons: string
  /** The description of the channels. */
  readonly asyncapi: string
  /** Of each page: its script, then what that imports at once. */
  readonly scripts: Readonly<Record<string, readonly string[]>>
}

/** What pages know of where they are. */
export interface Site {
  readonly manifest: Manifest
  readonly baseUrl: URL
  /** Where the STOMP adapter listens; undefined where there is none. */
  readonly stompUrl: URL | undefined
  /** Where gRPC listens; undefined if unknown. */
  readonly grpcUrl: URL | undefined
  readonly profile: Profile
  /** Whether it is the local stage, whose addresses are no secret. */
  readonly isLocal: boolean
  readonly permissions: PermissionTable
  readonly passkeys: PasskeyOffer
  /** None but on the local stage. */
  readonly demoUsers: readonly DemoUser[]
  /** Undefined but on the local stage. */
  readonly demoTokens: DemoTokens | undefined
}

/** What a page knows of its viewer. */
export interface View {
  /** Undefined without a login. */
  readonly principal: Principal | undefined
  /** For the forms of the page. */
  readonly csrfToken: string
  readonly csrfCookie: string
  /** The identity providers that a login is offered with. */
  readonly providers: ConsoleFacts['providers']
  readonly now: Date
  /** Path and query of the page, where a login can lead back to it; else `/`. */
  readonly address: string
}
