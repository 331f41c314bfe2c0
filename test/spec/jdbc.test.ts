import { inProfile } from './in-profile.ts'

inProfile('jdbc')
