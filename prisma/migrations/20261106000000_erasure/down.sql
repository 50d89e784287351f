DROP TRIGGER "dropRowsOfErasedUsers" ON "EmailSuggestion";
DROP TRIGGER "dropRowsOfErasedUsers" ON "ActionIntent";
DROP TRIGGER "dropRowsOfErasedUsers" ON "ActionHistory";
DROP TRIGGER "dropRowsOfErasedUsers" ON "NotificationEvent";
DROP TRIGGER "dropRowsOfErasedUsers" ON "OutboxEvent";
DROP FUNCTION "dropRowsOfErasedUsers"();
DROP TABLE "ErasedUser";
