"""The tables of the database: games, who sits where, and every decision ever taken.

The log is append-only, and its key (table, sequence) is the lock: of two writers that would take the same
decision number, one is refused. The table's id comes first in every key, so that tables can be spread over
several databases. Migrations make these tables; a test holds the two together.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
)

NEWEST = "0002"  # the migration that makes the schema as it stands here

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules", Integer, nullable=False),  # the version of the rules it was begun under
    Column("options", JSON, nullable=False),
    Column("seed", String(20), nullable=False),  # 64 bits do not fit a signed column
    Column("status", String(10), nullable=False),  # waiting, playing, over, record
    Column("open", Boolean, nullable=False),
    Column("watch", Boolean, nullable=False),
    Column("pace", String(10), nullable=False),
    Column("waiting", Integer, nullable=False),  # a bit for each seat that owes a decision, as the log leaves it
    Column("result", JSON, nullable=True),
    Column("seal", String(64), nullable=True, unique=True),  # of an uploaded record
    Column("created", BigInteger, nullable=False),  # milliseconds since 1970
    Column("updated", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),  # grows with every change: whoever knows a lower one is behind
    Column("keeper", String(32), nullable=True),  # the process whose bots play here, where there are several
    Index("tables_by_status", "status", "updated"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(10), nullable=False),  # person, bot
    Column("name", String(48), nullable=True),  # none while the seat is free
    Column("level", String(10), nullable=True),
    Column("bot", String(64), nullable=True),  # the notation of the bot
    Column("held", String(10), nullable=True),  # the level of the bot that plays for an absent person
    Column("token_hash", String(64), nullable=True),
    Column("invite", String(32), nullable=True, unique=True),
    PrimaryKeyConstraint("table_id", "seat"),
)

log = Table(
    "log",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("sequence", Integer, nullable=False),  # from 1
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("table_id", "sequence"),
    sqlite_with_rowid=False,
)

# Where several processes serve one database (PostgreSQL):

processes = Table(
    "processes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("seen", DateTime(timezone=True), nullable=False),  # by the database's clock
)

presence = Table(
    "presence",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("process", String(32), ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
    Column("seats", Integer, nullable=False),  # a bit for each seat whose person is connected to that process
    Column("watchers", Integer, nullable=False),
    PrimaryKeyConstraint("table_id", "process"),
)
