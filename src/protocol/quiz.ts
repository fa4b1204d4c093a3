export const quizTopics = ['activity', 'nutrition', 'mindfulness', 'sleep'] as const
export type QuizTopic = (typeof quizTopics)[number]
