import { news } from '../../protocol/news.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LimitsCard } from '../colour/limits-card.tsx'
import { DeleteAccount } from '../deletion/delete-account.tsx'
import { NewsSettingsCard } from '../news/settings-card.tsx'
import { BoardSwitch } from '../quiz/board-switch.tsx'
import { DataExport } from '../records/data-export.tsx'
import { FiguresSwitch } from '../referrals/figures-switch.tsx'
import { isTried, useRead } from '../shared/api/api.ts'
import { ProfilePage } from '../users/profile-page.tsx'
import { FriendsSwitch } from '../wellness/friends-switch.tsx'
import { YourDay } from '../wellness/your-day.tsx'

/** The profile page, together with the settings of other features. */
export function Profile() {
  return (
    <ProfilePage wide={<LimitsCard />}>
      <YourDay />
      <Card className="grid gap-4">
        <h2 className="text-xl">Privacy</h2>
        <FiguresSwitch />
        <BoardSwitch />
        <FriendsSwitch />
      </Card>
      <Last />
    </ProfilePage>
  )
}

/** Not every operator sends news, so what follows would move if it did not wait until that is known. */
function Last() {
  if (!isTried(useRead(news.settings, {}))) return <Skeleton className="h-72 rounded-card" />
  return (
    <>
      <NewsSettingsCard />
      <DataExport />
      <DeleteAccount />
    </>
  )
}
