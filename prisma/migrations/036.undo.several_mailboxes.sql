ALTER TABLE "PendingLogin" DROP COLUMN "sessionId";
ALTER TABLE "AuthorizationRequest" DROP COLUMN "allMailboxes";
ALTER TABLE "PersonalToken" DROP COLUMN "ownerId";
ALTER TABLE "Session" DROP COLUMN "ownerId";
ALTER TABLE "User" DROP CONSTRAINT "User_ownerId_fkey";
DROP INDEX "User_ownerId_mailboxNumber_key";
ALTER TABLE "User" DROP COLUMN "mailboxName", DROP COLUMN "mailboxPosition", DROP COLUMN "mailboxNumber", DROP COLUMN "ownerId";
DROP TABLE "Owner";
