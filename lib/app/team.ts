import type { Team } from '../deliver/handler-file.ts'

/** What the team configures, and its code. A build puts that of the project in place of this file. */
export const team: Team = {}
