import { inProfile } from './in-profile.ts'

inProfile('oauth2')
