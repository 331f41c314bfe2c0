import { inProfile } from './in-profile.ts'

inProfile('ldap')
