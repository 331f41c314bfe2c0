import { LabPage } from '../lab/page.tsx'
import { mount } from '../mount.tsx'

mount(LabPage)
