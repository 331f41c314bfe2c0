import { mount } from '../mount.tsx'
import { PaymentsPage } from '../payments/page.tsx'

mount(PaymentsPage)
