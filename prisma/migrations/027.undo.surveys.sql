DROP TABLE "SurveyedSender";
DROP TABLE "MailboxSurvey";
