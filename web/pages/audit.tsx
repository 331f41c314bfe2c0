import { AuditPage } from '../audit/page.tsx'
import { mount } from '../mount.tsx'

mount(AuditPage)
