"""Tables that play on from a finished game with hidden cards imagined anew."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("tables", sa.Column("imagined", sa.JSON, nullable=True))


def downgrade() -> None:
    op.drop_column("tables", "imagined")
