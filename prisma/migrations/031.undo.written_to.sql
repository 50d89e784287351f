ALTER TABLE "CachedMessage" DROP COLUMN "listKey";
DROP TABLE "WrittenTo";
