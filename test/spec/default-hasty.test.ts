import { inHaste } from './in-profile.ts'

inHaste('default')
