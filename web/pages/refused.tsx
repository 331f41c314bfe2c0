import { mount } from '../mount.tsx'
import { RefusedPage } from '../refused/page.tsx'

mount(RefusedPage)
