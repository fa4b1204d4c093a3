import { Apple, Brain, Dumbbell, type LucideIcon, Moon, Shuffle } from 'lucide-react'
import type { QuizTopic } from '../../protocol/quiz.ts'
import type { Tone } from '../../ui/tone.ts'

type TopicLook = { label: string; icon: LucideIcon; tone: Tone }

export const topicLooks: Record<QuizTopic, TopicLook> = {
  activity: { label: 'Activity', icon: Dumbbell, tone: 'coral' },
  nutrition: { label: 'Nutrition', icon: Apple, tone: 'leaf' },
  mindfulness: { label: 'Mindfulness', icon: Brain, tone: 'violet' },
  sleep: { label: 'Sleep', icon: Moon, tone: 'sky' },
}

export const mixLook: TopicLook = { label: 'All topics', icon: Shuffle, tone: 'lime' }
