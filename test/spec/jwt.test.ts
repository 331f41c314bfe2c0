import { inProfile } from './in-profile.ts'

inProfile('jwt')
